import { decodeErrorResult, type Hex, parseAbi } from 'viem'
import { toLine } from '../../toLine.ts'

/** errors built into Solidity */
const solidityErrors = parseAbi(['error Error(string reason)', 'error Panic(uint256 code)'])

const maxReasonLength = 200

/** @returns the decoded reason in one short line; undefined when the data is empty */
export const decodeRevertReason = (data: Hex | undefined): string | undefined => {
  if (data === undefined || data === '0x') return undefined
  try {
    const { errorName, args } = decodeErrorResult({ abi: solidityErrors, data })
    return errorName === 'Error' ? toLine(args[0], maxReasonLength) : `panic ${args[0]}`
  } catch {
    return `reverted with ${data.slice(0, 10)}`
  }
}
