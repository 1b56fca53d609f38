import type { components } from '../api/openapi.d.ts'

type Order = Pick<components['schemas']['Order'], 'uid' | 'status' | 'executedSellAmount' | 'fullAppData'>
/** @property owner lower case @property token lower case */
export type Subject = { owner: string; token: string }

/** Selector of `permit(address,address,uint256,uint256,uint8,bytes32,bytes32)` (EIP-2612), and the owner's word. */
const permitPattern = /^0xd505accf0{24}([0-9a-f]{40})[0-9a-f]{384}$/

/**
 * An open order that brings a permit of the token with it. Its permit has the owner's current nonce, so a second one
 * would fail as soon as the first is used. An order with a fill has used its permit.
 * @returns its UID; null without one
 */
export const findPendingPermit = (orders: readonly Order[], subject: Subject): string | null =>
  orders.find(
    ({ status, executedSellAmount, fullAppData }) =>
      (status === 'open' || status === 'presignaturePending') &&
      executedSellAmount === '0' &&
      readPreHooks(fullAppData).some((hook) => isPermit(hook, subject)),
  )?.uid ?? null

/** App data is any text; one that is not a document has no hooks. */
const readPreHooks = (document: string | null): unknown[] => {
  try {
    const pre: unknown = JSON.parse(document ?? '{}')?.metadata?.hooks?.pre
    return Array.isArray(pre) ? pre : []
  } catch {
    return []
  }
}

const isPermit = (hook: unknown, { owner, token }: Subject): boolean => {
  const { target, callData } = (hook ?? {}) as { target?: unknown; callData?: unknown }
  if (typeof target !== 'string' || typeof callData !== 'string' || target.toLowerCase() !== token) return false
  return permitPattern.exec(callData.toLowerCase())?.[1] === owner.slice(2)
}
