import { encodeFunctionData, type Hex, parseAbi } from 'viem'

/** A pre-hook in the format of app data. */
export type PermitHook = { target: string; callData: string; gasLimit: string }

/** The approved call. @property deadline last valid second, Unix */
export type PermitTerms = { owner: string; spender: string; value: bigint; deadline: number }

const permitAbi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])
/** Gas units. A permit of a token behind a proxy uses about 60,000. */
const gasLimit = '80000'

/** The pre-hook that gives the token a signed permit. @param signature 65 bytes */
export const buildPermitHook = (
  token: string,
  { owner, spender, value, deadline }: PermitTerms,
  signature: string,
): PermitHook => {
  const [r, s, last] = [signature.slice(2, 66), signature.slice(66, 130), Number(`0x${signature.slice(130)}`)]
  // some wallets count from 0
  const v = last < 27 ? last + 27 : last
  const args = [owner as Hex, spender as Hex, value, BigInt(deadline), v, `0x${r}`, `0x${s}`] as const
  return {
    target: token,
    callData: encodeFunctionData({ abi: permitAbi, functionName: 'permit', args }),
    gasLimit,
  }
}

/** A hook of the same size and gas before the permit is signed: the quote includes its cost. */
export const buildPlaceholderHook = (token: string): PermitHook => {
  const account = `0x${'11'.repeat(20)}`
  const terms = { owner: account, spender: account, value: 2n ** 256n - 1n, deadline: 2 ** 32 - 1 }
  return buildPermitHook(token, terms, `0x${'11'.repeat(64)}1b`)
}
