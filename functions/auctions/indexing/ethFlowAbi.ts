import { parseAbi } from 'viem'

/** The contract that places orders for native tokens, as far as it is called here. */
export const ethFlowAbi = parseAbi(['function wrapAll()'])
