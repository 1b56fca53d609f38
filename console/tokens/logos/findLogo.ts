/** A drawn logo: the colour of its disc and white paths on a grid of 32. */
export type Logo = { colour: string; paths: readonly string[] }

const ether = ['M16 5.5 9.5 16.3 16 20.2l6.5-3.9L16 5.5Z', 'M16 21.7l-6.5-3.9L16 26.8l6.5-9L16 21.7Z']
const dollar = [
  'M17.1 6.2v1.9c2.2.4 3.7 1.8 3.9 3.9h-2.4c-.2-1.2-1.2-1.9-2.7-1.9-1.6 0-2.6.7-2.6 1.8 0 1 .7 1.5 2.3 1.9l1.6.4c2.7.6 4.1 1.9 4.1 4.1 0 2.3-1.6 3.9-4.2 4.3v2.2h-2.2v-2.2c-2.5-.3-4.1-1.8-4.3-4.1h2.5c.2 1.3 1.3 2.1 3 2.1s2.8-.8 2.8-2c0-1-.7-1.6-2.3-2l-1.7-.4c-2.6-.6-3.9-1.9-3.9-4 0-2.1 1.5-3.7 3.9-4.1V6.2h2.2Z',
]
const dai = [
  'M10 8h6.2c3.7 0 6.3 1.9 7.3 5H26v1.8h-2.1a9.3 9.3 0 0 1 0 2.4H26V19h-2.5c-1 3.1-3.6 5-7.3 5H10v-5H7.5v-1.8H10v-2.4H7.5V13H10V8Zm2.2 2v3h9c-.9-1.9-2.7-3-5.1-3h-3.9Zm0 4.8v2.4h9.5a6.6 6.6 0 0 0 0-2.4h-9.5Zm0 4.2v3h3.9c2.4 0 4.2-1.1 5.1-3h-9Z',
]
const cow = [
  'M6.5 10.5c1.7 2.6 3.3 3.3 5.2 3.2l1.6-1.2h5.4l1.6 1.2c1.9.1 3.5-.6 5.2-3.2.3 3.6-1 5.7-3.4 6.3l-1.3 5.6c-.4 1.8-2.2 3.1-4.8 3.1s-4.4-1.3-4.8-3.1l-1.3-5.6c-2.4-.6-3.7-2.7-3.4-6.3Zm6.5 6.3a1.1 1.1 0 1 0 0 2.2 1.1 1.1 0 0 0 0-2.2Zm6 0a1.1 1.1 0 1 0 0 2.2 1.1 1.1 0 0 0 0-2.2Z',
]
const tether = [
  'M8.5 8h15v4h-5.3v1.6c3.5.2 6.1.9 6.1 1.8s-2.6 1.6-6.1 1.8V24h-4.4v-6.8c-3.5-.2-6.1-.9-6.1-1.8s2.6-1.6 6.1-1.8V12H8.5V8Z',
]

const logos: Readonly<Record<string, Logo>> = {
  ETH: { colour: '#627eea', paths: ether },
  WETH: { colour: '#454a75', paths: ether },
  USDC: { colour: '#2775ca', paths: dollar },
  USDT: { colour: '#0b8a69', paths: tether },
  DAI: { colour: '#c98507', paths: dai },
  XDAI: { colour: '#c98507', paths: dai },
  WXDAI: { colour: '#8a6410', paths: dai },
  COW: { colour: '#b8386f', paths: cow },
}

/**
 * The logo of a listed token.
 * @param symbol of a token that the API lists or of a native token: anyone can deploy another token with this symbol
 */
export const findLogo = (symbol: string): Logo | undefined => logos[symbol.replace(/\.e$/, '').toUpperCase()]
