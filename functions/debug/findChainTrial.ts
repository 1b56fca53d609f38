import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { decodeRevertReason } from '#shared/chain/decodeRevertReason.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { type Simulate, type SimulatedCall, SimulationError } from '#shared/chain/simulateCalls.ts'
import type { OrderInteraction } from '#shared/hooks/buildHookInteractions.ts'
import { findRevertingHook } from '#shared/hooks/findRevertingHook.ts'
import { readHooks } from '#shared/hooks/readHooks.ts'
import { type FundsNetwork, simulateFunds } from '#shared/hooks/simulateFunds.ts'
import type { Network } from '#shared/networks.ts'
import { eip1271MagicValue } from '#shared/signing/eip1271MagicValue.ts'

/** An order as the chain is asked about it. */
export type ChainDraft = {
  uid: Hex
  digest: Hex
  owner: Address
  sellToken: Address
  preInteractions: readonly OrderInteraction[]
  /** what to ask the owner's contract; undefined unless the scheme is `eip1271` */
  contractSignature: Hex | undefined
  /** amounts to try to move one after the other, sell token atoms; the first that moves counts */
  transfers: readonly bigint[]
}

/** What came of moving an amount of the sell token as a settlement does it. */
export type TrialTransfer = { amount: bigint; moved: boolean; received: bigint; revert: string | undefined }

/** What the chain says, all in one block; undefined where a contract gave no usable answer. */
export type ChainTrial = {
  block: number
  balance: bigint | undefined
  allowance: bigint | undefined
  /** of the exact side of the order, atoms; the maximum after an invalidation */
  filledAmount: bigint | undefined
  presigned: boolean
  signatureAccepted: boolean
  transfers: TrialTransfer[]
  /** the first pre-hook that reverts */
  revertingHook: { hook: number; target: Address } | undefined
}

export type TrialDeps = { network: FundsNetwork & Pick<Network, 'hooksTrampoline'>; simulate: Simulate }

const eip1271Abi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])

const readGas = 1_000_000n
const transferGas = 2_000_000n
/** as much as settling any order may take */
const signatureGas = 8_000_000n

/**
 * Tries an order on the newest state without sending anything: the settlement contract runs what the order wants called
 * first, the vault relayer moves the sell token to the settlement contract. One round trip, and one more when there are hooks.
 * @throws SimulationError
 */
export const findChainTrial = async (
  { network, simulate }: TrialDeps,
  draft: ChainDraft,
  signal: AbortSignal,
): Promise<ChainTrial> => {
  const { settlementContract } = network
  const asked: SimulatedCall[] = [
    toSettlementCall(settlementContract, 'filledAmount', draft.uid),
    toSettlementCall(settlementContract, 'preSignature', draft.uid),
    ...(draft.contractSignature === undefined ? [] : [toSignatureCall(draft, draft.contractSignature)]),
  ]
  const moving = draft.transfers.flatMap((amount) => [
    toTransfer(network, draft, amount),
    toBalanceCall(draft.sellToken, settlementContract),
  ])
  const further = [...asked, toBalanceCall(draft.sellToken, settlementContract), ...moving]
  const hooks = readHooks(draft.preInteractions)
  const [funds, revertingHook] = await Promise.all([
    simulateFunds(simulate, network, draft, signal, further),
    hooks.length > 0 ? findRevertingHook(simulate, network, hooks, signal) : undefined,
  ])
  const { balance, allowance, outcomes, returned, block } = funds
  const held = [asked.length, ...draft.transfers.map((_, i) => asked.length + 2 * i + 2)].map((i) =>
    toAmount(returned[i]),
  )
  return {
    block,
    balance,
    allowance,
    filledAmount: toAmount(returned[0]),
    presigned: (toAmount(returned[1]) ?? 0n) > 0n,
    signatureAccepted: returned[2]?.startsWith(eip1271MagicValue) ?? false,
    transfers: draft.transfers.map((amount, i) => {
      const outcome = outcomes[asked.length + 2 * i + 1]
      return {
        amount,
        moved: outcome?.succeeded === true && isAgreed(outcome.returnData),
        received: (held[i + 1] ?? 0n) - (held[i] ?? 0n),
        revert: outcome?.succeeded ? undefined : decodeRevertReason(outcome?.returnData),
      }
    }),
    revertingHook,
  }
}

const toSettlementCall = (
  settlementContract: Address,
  functionName: 'filledAmount' | 'preSignature',
  uid: Hex,
): SimulatedCall => ({
  to: settlementContract,
  data: encodeFunctionData({ abi: settlementAbi, functionName, args: [uid] }),
  gas: readGas,
})

const toSignatureCall = ({ owner, digest }: ChainDraft, signature: Hex): SimulatedCall => ({
  to: owner,
  data: encodeFunctionData({ abi: eip1271Abi, functionName: 'isValidSignature', args: [digest, signature] }),
  gas: signatureGas,
})

const toTransfer = (network: FundsNetwork, { owner, sellToken }: ChainDraft, amount: bigint): SimulatedCall => ({
  from: network.vaultRelayer,
  to: sellToken,
  data: encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transferFrom',
    args: [owner, network.settlementContract, amount],
  }),
  gas: transferGas,
})

const toBalanceCall = (token: Address, holder: Address): SimulatedCall => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [holder] }),
  gas: readGas,
})

/** The relayer takes no answer for a yes, as old tokens give none, and anything but `true` for a no. */
const isAgreed = (returnData: Hex): boolean =>
  returnData === '0x' || (returnData.length >= 66 && BigInt(returnData.slice(0, 66)) === 1n)

const toAmount = (returnData: Hex | undefined): bigint | undefined =>
  returnData && returnData.length >= 66 ? BigInt(returnData.slice(0, 66)) : undefined

/** @returns why there is none, when the node gives no answer */
export const tryOnChain = async (
  deps: TrialDeps,
  draft: ChainDraft,
  signal: AbortSignal,
): Promise<ChainTrial | SimulationError['reason']> => {
  try {
    return await findChainTrial(deps, draft, signal)
  } catch (error) {
    if (error instanceof SimulationError) return error.reason
    throw error
  }
}
