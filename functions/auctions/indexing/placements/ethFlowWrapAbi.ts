import { parseAbi } from 'viem'

/** The called functions of the contract that places orders for native tokens. */
export const ethFlowWrapAbi = parseAbi(['function wrapAll()'])
