import { encodeFunctionData, parseAbi } from 'viem'

const wrappedNativeAbi = parseAbi(['function deposit() payable', 'function withdraw(uint256 amount)'])

/** Transaction that wraps or unwraps an amount of the native token, one to one. @param amount wei */
export const buildWrapping = (
  direction: 'wrap' | 'unwrap',
  wrappedNative: string,
  amount: bigint,
): { to: string; data: string; value: bigint } =>
  direction === 'wrap'
    ? {
        to: wrappedNative,
        data: encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'deposit' }),
        value: amount,
      }
    : {
        to: wrappedNative,
        data: encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'withdraw', args: [amount] }),
        value: 0n,
      }
