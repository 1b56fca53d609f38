import { decodeAbiParameters, type Hex, hexToString } from 'viem'

const maxTextLength = 256

/** A string as in ERC-20, or the bytes32 of older tokens. */
export const decodeTokenText = (answer: Hex | undefined): string | undefined => {
  if (!answer || answer.length < 66) return undefined
  const text = answer.length === 66 ? hexToString(answer, { size: 32 }) : decodeText(answer)
  return text === undefined || text === '' ? undefined : text.slice(0, maxTextLength)
}

const decodeText = (answer: Hex): string | undefined => {
  try {
    return decodeAbiParameters([{ type: 'string' }], answer)[0]
  } catch {
    return undefined
  }
}
