import { type Address, zeroAddress } from 'viem'
import type { JsonObject } from '../../jsonObject.ts'
import { findPauseOfOrder, type Pauses } from '../../pauses/pauses.ts'
import { type TokenFault, toFaultData } from '../../tokens/tokenFault.ts'
import { type Finding, fail, pass, skip } from './finding.ts'
import type { Executable, JudgedOrder, OnChain } from './verdictFacts.ts'

/** Banned accounts neither trade nor are paid; the zero address is no account. */
export const computePermission = ({
  order,
  rules: { bannedUsers },
}: {
  order: Pick<JudgedOrder, 'owner' | 'receiver' | 'onchainUser' | 'partnerFees'>
  rules: { bannedUsers: ReadonlySet<Address> }
}): Finding => {
  if (!order.owner) return skip('permission', 'unknownOwner')
  if (bannedUsers.size === 0) return pass('permission', { owner: order.owner })
  const parties: [field: string, account: Address | null][] = [
    ['from', order.owner],
    ['receiver', order.receiver],
    ['onchainUser', order.onchainUser],
    ...order.partnerFees.map(({ recipient }, i): [string, Address] => [
      `metadata.partnerFee.${i}.recipient`,
      recipient,
    ]),
  ]
  const banned = parties.find(([, account]) => account && account !== zeroAddress && bannedUsers.has(account))
  if (!banned) return pass('permission', { owner: order.owner })
  const [field, account] = banned
  return fail('permission', 'Forbidden', { field, account })
}

/** This deployment trades both tokens now, and neither is proven to lose amounts in a transfer. */
export const computeTokens = ({
  order,
  rules,
  tokenFault,
  executable,
}: {
  order: Pick<JudgedOrder, 'sellToken' | 'buyToken'>
  /** `pauses` undefined: not looked up */
  rules: { unsupportedTokens: ReadonlySet<Address>; pauses?: Pauses | undefined }
  /** proof that one of the tokens cannot be settled; undefined: none, or not looked up */
  tokenFault: TokenFault | undefined
  /** undefined: not requested */
  executable: Executable | undefined
}): Finding => {
  const { sellToken, buyToken } = order
  const field = (['sellToken', 'buyToken'] as const).find((name) => rules.unsupportedTokens.has(order[name]))
  if (field) return fail('tokens', 'UnsupportedToken', { field, token: order[field] })
  const paused = rules.pauses && findPauseOfOrder(rules.pauses, order)
  if (paused) return fail('tokens', 'Paused', paused)
  if (tokenFault) return fail('tokens', 'UnsupportedToken', toFaultData(tokenFault, order), true)
  if (executable && 'fault' in executable && executable.fault === 'UnsupportedToken') {
    return fail('tokens', 'UnsupportedToken', { sellToken, buyToken }, true)
  }
  return pass('tokens', { sellToken, buyToken })
}

/** ECDSA signatures are checked once, when the order comes; pre-signatures and contracts can take theirs back. */
export const computeSignature = ({
  order,
  chain,
}: {
  order: Pick<JudgedOrder, 'signingScheme' | 'owner'>
  chain: OnChain<'isSigned' | 'hasContract'>
}): Finding => {
  const { signingScheme, owner } = order
  if (signingScheme === 'eip712' || signingScheme === 'ethsign') return pass('signature', { signingScheme })
  if (typeof chain === 'string') return skip('signature', chain)
  const evidence: JsonObject = signingScheme === 'presign' ? { signingScheme } : { signingScheme, contract: owner }
  if (chain.isSigned) return pass('signature', evidence)
  if (signingScheme === 'presign') return fail('signature', 'PresignaturePending', evidence)
  if (chain.hasContract === false) return fail('signature', 'MissingContract', { ...evidence, hasContract: false })
  return fail('signature', 'InvalidEip1271Signature', evidence)
}
