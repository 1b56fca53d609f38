import { type Address, encodeFunctionData, type Hex } from 'viem'
import { type Network, nativeSentinel } from '../../networks.ts'
import { multicall3Abi } from '../multicall3Abi.ts'

const toArgument = (address: Address): string => address.slice(2).toLowerCase().padStart(64, '0')

/** Calldata of `balanceOf(address)`, assembled as text: one auction needs thousands. */
export const encodeBalance = (owner: Address): Hex => `0x70a08231${toArgument(owner)}`

/** Calldata of `allowance(address,address)`, assembled as text. */
export const encodeAllowance = (owner: Address, spender: Address): Hex =>
  `0xdd62ed3e${toArgument(owner)}${toArgument(spender)}`

/** Calldata of Multicall3's `getEthBalance(address)`. */
export const encodeNativeBalance = (owner: Address): Hex =>
  encodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance', args: [owner] })

/** Calls for the balance of an account in a token, and for the vault relayer's allowance, which the native token has not. */
export const buildHoldingCalls = (
  network: Network,
  account: Address,
  token: Address,
): { target: Address; callData: Hex }[] =>
  token === nativeSentinel
    ? [{ target: network.multicall3, callData: encodeNativeBalance(account) }]
    : [
        { target: token, callData: encodeBalance(account) },
        { target: token, callData: encodeAllowance(account, network.vaultRelayer) },
      ]
