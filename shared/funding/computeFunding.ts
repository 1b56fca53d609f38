import type { Address, Hex } from 'viem'
import { createEncoder } from '../chain/calls/createEncoder.ts'
import { erc20Abi } from '../chain/erc20Abi.ts'
import { settlementAbi } from '../chain/settlementAbi.ts'
import type { Network } from '../networks.ts'
import type { Funding, FundingCall, FundingStep } from './fundingSchema.ts'
import { buildPermitData, buildUnsignedHook, type Permit } from './permit.ts'

/** What the chain knows of an owner's funds in the sell token, atoms. */
export type FundingFacts = {
  balance: bigint
  allowance: bigint
  /** an approval above 0 changes only after a reset to 0 */
  needsReset: boolean
  /** undefined: the token has no permits, or the owner has code that may refuse one */
  permit: Permit | undefined
  /** native token of the owner, wei; undefined: not needed or unknown */
  native: bigint | undefined
}

export type FundedOrder = {
  owner: Address
  sellToken: Address
  /** sell token atoms that the owner must have and approve */
  needed: bigint
  signingScheme: 'eip712' | 'ethsign' | 'presign' | 'eip1271'
  /** last valid second, Unix */
  validTo: number
  /** null: not known yet */
  uid: Hex | null
}

const encodeApproval = createEncoder(erc20Abi, 'approve')
const encodePresignature = createEncoder(settlementAbi, 'setPreSignature')
/** selector of `deposit()` of the wrapped native token */
const depositData = '0xd0e30db0'

/** Funds of the owner of an order, and the steps until it can be placed. */
export const computeFunding = (
  network: Pick<Network, 'vaultRelayer' | 'wrappedNative' | 'settlementContract'>,
  order: FundedOrder,
  facts: FundingFacts,
): Funding => {
  const { sellToken, needed } = order
  const { balance, allowance } = facts
  const funds = findFunds(network, order, facts)
  const approvals = allowance < needed ? buildApprovals(network, order, facts) : []
  const approval = findApproval(network, order, facts, approvals)
  const signing: FundingStep[] =
    order.signingScheme !== 'presign'
      ? [{ type: 'sign' }]
      : order.uid === null
        ? []
        : [{ type: 'presign', call: toCall(network.settlementContract, encodePresignature([order.uid, true])) }]
  return {
    token: sellToken,
    spender: network.vaultRelayer,
    balance: balance.toString(),
    allowance: allowance.toString(),
    needed: needed.toString(),
    steps: [...funds, ...approval, ...signing],
    calls: [
      ...funds.flatMap((step) => (step.type === 'wrap' ? [step.call] : [])),
      ...approvals,
      ...signing.flatMap((step) => (step.type === 'presign' ? [step.call] : [])),
    ],
  }
}

const findFunds = (
  { wrappedNative }: Pick<Network, 'wrappedNative'>,
  { sellToken, needed }: FundedOrder,
  { balance, native }: FundingFacts,
): FundingStep[] => {
  const missing = needed - balance
  if (missing <= 0n) return []
  return sellToken === wrappedNative && native !== undefined && native >= missing
    ? [{ type: 'wrap', call: toCall(wrappedNative, depositData, missing) }]
    : [{ type: 'acquire', token: sellToken, amount: missing.toString() }]
}

/** Only a key signs permits. */
const findApproval = (
  { vaultRelayer }: Pick<Network, 'vaultRelayer'>,
  { owner, sellToken, needed, validTo, signingScheme }: FundedOrder,
  { permit }: FundingFacts,
  calls: FundingCall[],
): FundingStep[] => {
  if (calls.length === 0) return []
  if (!permit || (signingScheme !== 'eip712' && signingScheme !== 'ethsign')) return [{ type: 'approve', calls }]
  const terms = { owner, spender: vaultRelayer, value: needed, deadline: validTo }
  return [{ type: 'permit', typedData: buildPermitData(permit, terms), hook: buildUnsignedHook(sellToken, terms) }]
}

const buildApprovals = (
  { vaultRelayer }: Pick<Network, 'vaultRelayer'>,
  { sellToken, needed }: FundedOrder,
  { needsReset }: FundingFacts,
): FundingCall[] =>
  (needsReset ? [0n, needed] : [needed]).map((amount) => toCall(sellToken, encodeApproval([vaultRelayer, amount])))

const toCall = (to: Address, data: Hex, value = 0n): FundingCall => ({ to, data, value: value.toString() })
