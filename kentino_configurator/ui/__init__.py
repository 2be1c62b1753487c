"""The window. The only package that knows Qt."""

from kentino_configurator.ui.qt_on_old_python import keep_none_alive

keep_none_alive()
