"""Calibration and timing of the engine; not part of the program."""
