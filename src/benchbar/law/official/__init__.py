"""Readers of the XML that official sites publish law in: one file for each format."""
