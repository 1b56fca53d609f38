/** A share of the width, as SVG takes it: `12.500%`. */
export const toPercent = (share: number): string => `${(share * 100).toFixed(3)}%`
