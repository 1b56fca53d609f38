import type { Address } from 'viem'
import { describeError } from '#shared/http/describeError.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { type Connected, createHub } from '#shared/streams/createHub.ts'
import { encodeEvent } from '#shared/streams/serverSentEvent.ts'
import { toBalanceResponse } from './balanceResponse.ts'
import { createLedger, type LedgerChange } from './createLedger.ts'
import { computeTokensKey, readBalanceEventId, toBalanceEventId } from './eventId.ts'
import type { AccountHolding } from './findAccountBalances.ts'
import type { BalanceStreamRefusal } from './getBalanceStream.ts'
import { toBalanceUpdate } from './toBalanceUpdate.ts'

export type WatchDeps = {
  account: { chainId: number; address: Address }
  limits: {
    streamsPerAccount: number
    tokensPerAccount: number
    /** lifetime of one stream, milliseconds */
    lifetimeMs: number
    /** interval between polls of the head of the chain */
    pollMs: number
  }
  /** number of the newest block; rejects when the node fails */
  findHead: () => Promise<bigint>
  /** see `findAccountBalances` */
  findBalances: (
    tokens: readonly Address[],
    options: { describe: boolean; blockNumber: bigint },
  ) => Promise<AccountHolding[]>
  /** schedules the next `tick`, Unix milliseconds, replacing any other; undefined: none */
  setAlarm: (at: number | undefined) => void
  now: () => number
  /** from 0 to 1 */
  random: () => number
  log: (entry: JsonObject) => void
}

export type BalanceJoinRequest = {
  tokens: readonly Address[]
  lastEventId: string | undefined
  /** called once when the stream ends, for any reason */
  leave: () => void
}

export type BalanceStreams = {
  join: (request: BalanceJoinRequest) => ReadableStream<Uint8Array> | BalanceStreamRefusal
  /** resolves when the reads that it started are published; never rejects */
  tick: () => Promise<void>
}

type Listener = Connected<ListenerState>

type ListenerState = {
  tokens: ReadonlySet<Address>
  tokensKey: string
  /** id of the last event; events before the balances must not move the client's position */
  eventId: string
  /** pending update: all balances, or the changes since a position */
  waitsFor: 'everything' | { since: number } | undefined
  isWarned: boolean
}

const maxBufferedBytes = 256 * 1024
const maxChanges = 1_000
/** Tokens that revert are read in calls of their own, at most this many per block. */
const maxReadAlone = 8
const noPosition = '0'

/**
 * Watches the balances of one account for all its listeners. They share one read of the chain: the balances of all their
 * tokens are read together, once per block, and tokens of a new listener immediately. It runs only on its alarm, which is
 * set while there are listeners.
 *
 * A token that reverts, or burns the gas of the calls behind it, is read separately from then on, so that no listener can
 * block the balances of others.
 */
export const createBalanceWatch = (deps: WatchDeps): BalanceStreams => {
  const { account, limits, now, random } = deps
  const epoch = Math.floor(random() * 2 ** 48).toString(36)
  const ledger = createLedger(maxChanges)
  /** how many listeners each token has */
  const watched = new Map<Address, number>()
  /** tokens whose holding is known as of `block` */
  const current = new Set<Address>()
  const reverting = new Set<Address>()
  /** tokens that no longer have a listener, the oldest first */
  const unwatched = new Set<Address>()
  let block: bigint | undefined
  let isFailing = false

  const release = ({ tokens }: Listener): void => {
    for (const token of tokens) {
      const left = (watched.get(token) ?? 1) - 1
      if (left > 0) watched.set(token, left)
      else unwatch(token)
    }
  }

  /** Retains the holding for clients that reconnect, up to a maximum number of tokens. */
  const unwatch = (token: Address): void => {
    watched.delete(token)
    current.delete(token)
    reverting.delete(token)
    unwatched.delete(token)
    unwatched.add(token)
    for (const oldest of unwatched) {
      if (unwatched.size <= limits.tokensPerAccount) break
      unwatched.delete(oldest)
      if (!watched.has(oldest)) ledger.forget(oldest)
    }
  }

  const positionOf = ({ tokensKey }: Listener, sequence: number) => toBalanceEventId({ epoch, tokensKey, sequence })

  const send = (listener: Listener, event: string, data: unknown): void =>
    listener.stream.write(encodeEvent({ id: listener.eventId, event, data }))

  /** Encodes an event once for all listeners with the same tokens. */
  const createSender = () => {
    const encoded = new Map<string, Uint8Array>()
    return (listener: Listener, sequence: number, event: string, buildData: () => unknown): void => {
      listener.eventId = positionOf(listener, sequence)
      const key = `${listener.eventId} ${event}`
      const bytes = encoded.get(key) ?? encodeEvent({ id: listener.eventId, event, data: buildData() })
      encoded.set(key, bytes)
      listener.stream.write(bytes)
    }
  }
  type Send = ReturnType<typeof createSender>

  const sendChange = (sendShared: Send, listener: Listener, change: LedgerChange): void =>
    sendShared(listener, change.sequence, 'balance_update', () => toBalanceUpdate(account, change))

  /** Sends a listener its pending update, once all of its tokens are known as of the newest block. */
  const settle = (sendShared: Send, listener: Listener): void => {
    const { waitsFor, tokens } = listener
    if (!waitsFor || ![...tokens].every((token) => current.has(token))) return
    listener.waitsFor = undefined
    const missed = waitsFor === 'everything' ? undefined : ledger.findSince(waitsFor.since, tokens)
    if (missed) {
      for (const change of missed) sendChange(sendShared, listener, change)
      return
    }
    sendShared(listener, ledger.sequence(), 'initial_balances', () => ({
      balances: ledger.find([...tokens]).map(toBalanceResponse),
    }))
  }

  const publish = (read: readonly AccountHolding[]): void => {
    const holdings = read.filter(({ token }) => watched.has(token.address))
    for (const { token, fault } of holdings) {
      current.add(token.address)
      reverting.delete(token.address)
      if (fault === 'reverted') reverting.add(token.address)
    }
    const changes = ledger.record(holdings, now())
    const sendShared = createSender()
    for (const listener of hub.connected()) {
      for (const change of listener.waitsFor ? [] : changes)
        if (listener.tokens.has(change.tokenAddress)) sendChange(sendShared, listener, change)
      settle(sendShared, listener)
    }
  }

  const read = async (): Promise<void> => {
    const head = await deps.findHead()
    // a lagging node of a pool has nothing new
    const isNew = block === undefined || head > block
    const blockNumber = isNew ? head : (block ?? head)
    const tokens = [...watched.keys()]
    const missing = tokens.filter((token) => !current.has(token))
    const known = isNew ? tokens.filter((token) => current.has(token) && !reverting.has(token)) : []
    const alone = isNew ? [...reverting].slice(0, maxReadAlone).map((token) => [token]) : []
    const find = async (requested: readonly Address[], describe: boolean) =>
      requested.length > 0 ? deps.findBalances(requested, { describe, blockNumber }) : []
    const responses = await Promise.all([
      find(missing, true),
      find(known, false),
      ...alone.map((one) => find(one, false)),
    ])
    block = blockNumber
    publish(responses.flat())
  }

  const warn = (): void => {
    for (const listener of hub.connected()) {
      if (!listener.waitsFor || listener.isWarned) continue
      listener.isWarned = true
      send(listener, 'error', { message: 'the balances cannot be read now; they will follow' })
    }
  }

  const refresh = async (): Promise<void> => {
    try {
      await read()
      isFailing = false
      if (hub.connected().some(({ waitsFor }) => waitsFor)) hub.arm(now())
    } catch (error) {
      isFailing = true
      deps.log({ message: 'balances cannot be read', chainId: account.chainId, cause: describeError(error) })
      warn()
    }
  }

  const sendPing = (listener: Listener): void => {
    if (!listener.waitsFor) listener.eventId = positionOf(listener, ledger.sequence())
    send(listener, 'ping', {})
  }

  const hub = createHub<ListenerState>({ ...deps, ...limits, maxBufferedBytes, sendPing, onLeave: release, refresh })

  const findRefusal = (tokens: readonly Address[]): BalanceStreamRefusal | undefined => {
    const { streamsPerAccount, tokensPerAccount } = limits
    if (hub.connected().length >= streamsPerAccount) return { limit: 'streamsPerAccount', max: streamsPerAccount }
    const added = tokens.filter((token) => !watched.has(token)).length
    return watched.size + added > tokensPerAccount ? { limit: 'tokensPerAccount', max: tokensPerAccount } : undefined
  }

  const findResumed = (tokensKey: string, request: BalanceJoinRequest): number | undefined => {
    const position = readBalanceEventId(request.lastEventId)
    if (position?.epoch !== epoch || position.tokensKey !== tokensKey) return undefined
    return request.tokens.every(ledger.has) ? position.sequence : undefined
  }

  return {
    join: (request) => {
      const refusal = findRefusal(request.tokens)
      if (refusal) return refusal
      const tokensKey = computeTokensKey(request.tokens)
      const since = findResumed(tokensKey, request)
      const state: ListenerState = {
        tokens: new Set(request.tokens),
        tokensKey,
        eventId: since === undefined ? noPosition : toBalanceEventId({ epoch, tokensKey, sequence: since }),
        waitsFor: since === undefined ? 'everything' : { since },
        isWarned: false,
      }
      const listener = hub.connect(state, request.leave)
      for (const token of listener.tokens) watched.set(token, (watched.get(token) ?? 0) + 1)
      if (!isFailing) settle(createSender(), listener)
      hub.arm(now() + (listener.waitsFor ? 0 : limits.pollMs))
      return listener.stream.body
    },
    tick: hub.tick,
  }
}
