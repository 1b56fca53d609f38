/** Colour tokens of `styles/tokens.css` in display order. */
export const paletteNames = [
  ...['surface', 'panel', 'sunken', 'raised', 'line', 'line-strong', 'text', 'muted', 'faint'],
  ...['accent', 'accent-strong', 'on-accent', 'info-soft', 'good', 'good-soft', 'warn', 'warn-soft', 'bad', 'bad-soft'],
]
