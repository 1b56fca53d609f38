import { type Address, type Hex, zeroAddress } from 'viem'
import type { ParsedAppData } from '#shared/appData/parseAppData.ts'
import { type AppData, readAppData } from '#shared/appData/readAppData.ts'
import type { Network } from '#shared/networks.ts'
import { authorizeOrder } from '#shared/orders/authorizeOrder.ts'
import { computeExpectedOwner } from '#shared/orders/computeExpectedOwner.ts'
import { checkAmounts, checkReceiver, checkTokenBalances, checkTokens } from '#shared/orders/orderChecks.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import { type Check, skipCheck, toCheck } from './check.ts'
import type { OrderDraft } from './dryRun.ts'

export type DraftRules = {
  network: Pick<Network, 'wrappedNative' | 'settlementContract' | 'vaultRelayer'>
  /** EIP-712 domain of the network's settlement contract */
  domainSeparator: Hex
  bannedUsers: ReadonlySet<Address>
  unsupportedTokens: ReadonlySet<Address>
}

/** Facts that an order draft states itself, before any look-up. */
export type ReadDraft = {
  order: OrderDraft
  network: DraftRules['network']
  appDataHash: Hex | null
  /** parsed app data document; null while only its hash is known, or when it is invalid */
  parsedAppData: ParsedAppData | null
  /** null: neither named nor recoverable from a signature */
  owner: Address | null
  digest: Hex | null
  uid: Hex | null
  shape: Check
  /** null: the document must be looked up first */
  appData: Check | null
  /** null: requires a call to the chain */
  signature: Check | null
}

/** Applies the placement rules that need only the draft, each independently. */
export const readDraft = (rules: DraftRules, order: OrderDraft): ReadDraft => {
  let document: AppData | undefined
  const appData = toCheck('appData', () => {
    document = readAppData(order)
    return { appDataHash: document.appDataHash }
  })
  const parsedAppData = document?.parsedAppData ?? null
  const shape = toCheck('shape', () => {
    checkAmounts(order)
    checkTokenBalances(order)
    checkTokens(order, rules.network.wrappedNative)
    checkReceiver(order, rules.network, parsedAppData)
    return { kind: order.kind, sellAmount: order.sellAmount.toString(), buyAmount: order.buyAmount.toString() }
  })
  const appDataHash = document?.appDataHash ?? null
  const digest =
    appDataHash &&
    computeOrderDigest(rules.domainSeparator, { ...order, receiver: order.receiver ?? zeroAddress, appDataHash })
  const { owner, signature } = readOwner(order, digest, parsedAppData)
  return {
    ...{ order, network: rules.network },
    appDataHash,
    parsedAppData,
    owner,
    digest,
    uid: digest && owner && packOrderUid(digest, owner, order.validTo),
    shape,
    appData: document && !document.parsedAppData ? null : appData,
    signature,
  }
}

/**
 * Owner of the order: recovered from the signature, or as stated. A signature of another account does not change the
 * stated owner.
 */
const readOwner = (
  order: OrderDraft,
  digest: Hex | null,
  parsedAppData: ParsedAppData | null,
): { owner: Address | null; signature: Check | null } => {
  const named = order.from ?? parsedAppData?.signer ?? null
  const { signingScheme } = order
  const signature = order.signature ?? (signingScheme === 'presign' ? '0x' : undefined)
  if (signature === undefined) return { owner: named, signature: skipCheck('signature', 'unsigned') }
  if (!digest) return { owner: named, signature: skipCheck('signature', 'unknownAppData') }
  let owner = named
  const check = toCheck('signature', () => {
    const expected = computeExpectedOwner(order.from, parsedAppData?.signer ?? null)
    owner = authorizeOrder({ signingScheme, signature }, digest, expected).owner
    return { signingScheme, signer: owner }
  })
  const isOnChain = signingScheme === 'eip1271' || signingScheme === 'presign'
  return { owner, signature: check.status === 'pass' && isOnChain ? null : check }
}
