"""The window. The only package that knows Qt."""

from kentino_configurator.ui.qt_on_old_python import keep_constants_alive

keep_constants_alive()
