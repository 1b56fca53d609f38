import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'

/** The parameters of a conditional order. */
export type ConditionalParams = { handler: Address; salt: Hex; staticInput: Hex }

const paramsType = parseAbiParameters([
  'Params params',
  'struct Params { address handler; bytes32 salt; bytes staticInput; }',
])

/** Hash by which the registry identifies a conditional order. */
export const hashParams = (params: ConditionalParams): Hex => keccak256(encodeAbiParameters(paramsType, [params]))
