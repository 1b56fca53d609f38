import type { AccessList, Address } from 'viem'
import { encodeBalance, encodeNativeBalance } from '../chain/calls/balanceCalls.ts'
import { createEncoder } from '../chain/calls/createEncoder.ts'
import { payoutGas } from '../chain/calls/createPayoutAccess.ts'
import type { SimulatedCall } from '../chain/calls/simulateCalls.ts'
import { erc20Abi } from '../chain/erc20Abi.ts'
import { type Network, nativeSentinel } from '../networks.ts'

/** Gas of one transfer: sufficient for any token. */
const transferGas = 2_000_000n
/** Gas of a call that reads one value. */
const readGas = 1_000_000n
/** gas of a transaction before its first instruction, and for each entry of its access list (EIP-2930) */
const [transactionGas, addressGas, slotGas] = [21_000n, 2_400n, 1_900n]

const encodeTransferFrom = createEncoder(erc20Abi, 'transferFrom')
const encodeTransfer = createEncoder(erc20Abi, 'transfer')

/** The vault relayer moves sell tokens of the owner to the settlement contract, as `settle` does. */
export const buildPull = (
  { vaultRelayer, settlementContract }: Pick<Network, 'vaultRelayer' | 'settlementContract'>,
  { owner, sellToken }: { owner: Address; sellToken: Address },
  amount: bigint,
): SimulatedCall => ({
  from: vaultRelayer,
  to: sellToken,
  data: encodeTransferFrom([owner, settlementContract, amount]),
  gas: transferGas,
})

/**
 * The settlement contract pays buy tokens out, as `settle` does: the native token with 2,300 gas for its receiver.
 * @param access what the transaction declares for the receiver (`createPayoutAccess`)
 */
export const buildPayout = (
  { settlementContract }: Pick<Network, 'settlementContract'>,
  { buyToken, beneficiary }: { buyToken: Address; beneficiary: Address },
  amount: bigint,
  access: AccessList = [],
): SimulatedCall => {
  if (buyToken !== nativeSentinel) {
    return { from: settlementContract, to: buyToken, data: encodeTransfer([beneficiary, amount]), gas: transferGas }
  }
  const declared = access.reduce((sum, { storageKeys }) => sum + addressGas + slotGas * BigInt(storageKeys.length), 0n)
  return {
    from: settlementContract,
    to: beneficiary,
    data: '0x',
    value: amount,
    gas: transactionGas + payoutGas + declared,
    accessList: access,
  }
}

/** Reads a balance, of the native token too. */
export const buildBalanceRead = (
  { multicall3 }: Pick<Network, 'multicall3'>,
  token: Address,
  holder: Address,
): SimulatedCall =>
  token === nativeSentinel
    ? { to: multicall3, data: encodeNativeBalance(holder), gas: readGas }
    : { to: token, data: encodeBalance(holder), gas: readGas }
