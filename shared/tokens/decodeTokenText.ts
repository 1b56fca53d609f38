import { decodeAbiParameters, type Hex, hexToString } from 'viem'

const maxTextLength = 256

/** A string as in ERC-20, or the bytes32 of older tokens. */
export const decodeTokenText = (returned: Hex | undefined): string | undefined => {
  if (!returned || returned.length < 66) return undefined
  const text = returned.length === 66 ? hexToString(returned, { size: 32 }) : decodeText(returned)
  return text === undefined || text === '' ? undefined : text.slice(0, maxTextLength)
}

const decodeText = (returned: Hex): string | undefined => {
  try {
    return decodeAbiParameters([{ type: 'string' }], returned)[0]
  } catch {
    return undefined
  }
}
