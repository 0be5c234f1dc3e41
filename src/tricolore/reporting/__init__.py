"""Results in, one self-contained HTML file out: templates, style and scripts are real files in `assets/`."""
