"""Numerals, sentences and words of Chinese, Russian and English."""
