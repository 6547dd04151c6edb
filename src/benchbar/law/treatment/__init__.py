"""What became of decisions, as the files of later ones say it: upheld, changed, set aside, overruled."""
