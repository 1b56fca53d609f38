import type { Address } from 'viem'
import { describeError } from '#shared/http/describeError.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { JsonObject } from '#shared/jsonObject.ts'

/** Atoms; `allowance`: for the vault relayer. Undefined: the token returned no amount. */
export type Holding = { balance: bigint | undefined; allowance: bigint | undefined }

export type HeldToken = { account: Address; token: Address }

/** Tokens of an account with a changed amount, at the block; all of its tokens if `isSnapshot`. */
export type BalanceUpdate = {
  account: Address
  block: number
  isSnapshot: boolean
  balances: { token: Address; balance: string | null; allowance: string | null }[]
}

export type BalanceListener = {
  account: Address
  /** undefined: those of its open orders */
  tokens: readonly Address[] | undefined
  /** key under which its tokens are counted */
  client: string
  /** false: its client has to read first, and gets what changed meanwhile then */
  isReady: () => boolean
  send: (update: BalanceUpdate) => void
  /** called once per outage of the node or the database */
  fail: () => void
  /** called before it is removed to make room for a client with fewer tokens */
  end: () => void
}

export type BalanceReaderDeps = {
  findHead: () => Promise<bigint>
  /** in the order of the tokens; rejects when the node fails */
  findHoldings: (tokens: readonly HeldToken[], block: bigint) => Promise<Holding[]>
  /** tokens of the open orders of some accounts; rejects when the database fails */
  findOpenTokens: (accounts: readonly Address[]) => Promise<HeldToken[]>
  /** interval between reads of the head, milliseconds */
  pollMs: number
  now: () => number
  log: (entry: JsonObject) => void
}

export type BalanceReader = {
  /**
   * Makes room for a listener. When the tokens of all clients are too many, a client within an equal share of them takes the
   * place of the newest listeners of clients above theirs. A share is at least one whole subscription.
   * @throws ApiError `RateLimited` for too many tokens of its client, or of all
   */
  makeRoom: (listener: Pick<BalanceListener, 'client' | 'tokens'>) => void
  add: (listener: BalanceListener) => void
  remove: (listener: BalanceListener) => void
  /** Reads a new block and sends what changed, at most once at a time; never rejects. */
  read: () => Promise<void>
}

/** Tokens of one subscription, of all subscriptions of a client, and of all clients of a feed. */
export const balanceLimits = { tokens: 20, perClient: 80, perFeed: 500 } as const

type State = {
  /** undefined: not yet known */
  followed: readonly Address[] | undefined
  /** what its client has; undefined: nothing */
  sent: Map<Address, Holding> | undefined
  isWarned: boolean
}

/**
 * Reads balances and allowances of one network for all its listeners at once, in each block that a poll finds. A listener
 * gets those of its tokens first, and then those that differ from what it has. Without listeners nothing is read.
 */
export const createBalanceReader = (deps: BalanceReaderDeps): BalanceReader => {
  const { now, pollMs } = deps
  const listeners = new Map<BalanceListener, State>()
  let known = new Map<string, HeldToken & Holding>()
  let block: bigint | undefined
  let nextAt = 0
  let isFailing = false
  let reading: Promise<void> | undefined

  /** Tokens of an order that ended remain as long as there is room, because the end changes their balances. */
  const followOrders = async (isNew: boolean): Promise<void> => {
    const outdated = [...listeners].filter(([{ tokens }, { followed }]) => !tokens && (isNew || !followed))
    if (outdated.length === 0) return
    const open = await deps.findOpenTokens([...new Set(outdated.map(([{ account }]) => account))])
    const byAccount = Map.groupBy(open, ({ account }) => account)
    for (const [{ account }, state] of outdated) {
      const found = byAccount.get(account)?.map(({ token }) => token) ?? []
      state.followed = [...new Set([...found, ...(state.followed ?? [])])].slice(0, balanceLimits.tokens)
    }
  }

  const listFollowed = (): Map<string, HeldToken> =>
    new Map(
      [...listeners].flatMap(([{ account }, { followed = [] }]) =>
        followed.map((token) => [toKey(account, token), { account, token }]),
      ),
    )

  const update = async (): Promise<void> => {
    const head = await deps.findHead()
    // a lagging node of a pool has nothing new
    const isNew = block === undefined || head > block
    const at = isNew ? head : (block ?? head)
    await followOrders(isNew)
    const followed = listFollowed()
    const wanted = [...followed].filter(([key]) => isNew || !known.has(key))
    const found =
      wanted.length > 0
        ? await deps.findHoldings(
            wanted.map(([, held]) => held),
            at,
          )
        : []
    if (listeners.size === 0) return
    block = at
    const read = new Map(known)
    for (const [i, [key, held]] of wanted.entries()) read.set(key, merge(known.get(key), held, found[i]))
    known = new Map([...read].filter(([key]) => followed.has(key)))
  }

  const publish = (listener: BalanceListener, state: State): void => {
    const { account } = listener
    const holdings = state.followed?.map((token) => known.get(toKey(account, token)))
    if (block === undefined || !holdings?.every((holding) => holding !== undefined) || !listener.isReady()) return
    const isSnapshot = state.sent === undefined
    const sent = state.sent ?? new Map<Address, Holding>()
    state.sent = sent
    const changed = holdings.filter((holding) => !isSame(sent.get(holding.token), holding))
    if (changed.length === 0 && !isSnapshot) return
    for (const holding of changed) sent.set(holding.token, holding)
    listener.send({ account, block: Number(block), isSnapshot, balances: changed.map(toText) })
  }

  const isWaiting = (): boolean =>
    [...listeners].some(([{ account }, { followed }]) => !followed?.every((token) => known.has(toKey(account, token))))

  const readOnce = async (): Promise<void> => {
    const isDue = now() >= nextAt || (!isFailing && isWaiting())
    if (isDue) {
      nextAt = now() + pollMs
      try {
        await update()
        isFailing = false
      } catch (error) {
        if (!isFailing) deps.log({ message: 'balances of WebSockets cannot be read', cause: describeError(error) })
        isFailing = true
      }
    }
    for (const [listener, state] of listeners) {
      if (isFailing && !state.isWarned) listener.fail()
      else if (!isFailing) publish(listener, state)
      state.isWarned = isFailing
    }
  }

  const remove = (listener: BalanceListener): void => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    known = new Map()
    block = undefined
  }

  return {
    makeRoom: (added) => {
      const { perClient, perFeed } = balanceLimits
      const before = [...listeners.keys()]
      const ofClients = Map.groupBy([...before, added], ({ client }) => client)
      const own = countTokens(ofClients.get(added.client) ?? [])
      if (own > perClient) throw tooMany('balancesPerClient', perClient)
      const share = Math.max(balanceLimits.tokens, perFeed / ofClients.size)
      const ended = new Set<BalanceListener>()
      const listLeft = () => before.filter((listener) => !ended.has(listener))
      while (countTokens([...listLeft(), added]) > perFeed) {
        const largest = findLargest(listLeft())
        const newest = largest.at(-1)
        if (own > share || !newest || countTokens(largest) <= share) throw tooMany('balancesPerFeed', perFeed)
        ended.add(newest)
      }
      for (const listener of ended) {
        listener.end()
        remove(listener)
      }
    },
    add: (listener) => {
      listeners.set(listener, { followed: listener.tokens, sent: undefined, isWarned: false })
    },
    remove,
    read: async () => {
      if (listeners.size === 0) return
      reading ??= readOnce().finally(() => {
        reading = undefined
      })
      await reading
    },
  }
}

const countTokens = (listeners: readonly Pick<BalanceListener, 'tokens'>[]): number =>
  listeners.reduce((sum, { tokens }) => sum + (tokens?.length ?? balanceLimits.tokens), 0)

/** Listeners of the client with most tokens. */
const findLargest = (listeners: readonly BalanceListener[]): BalanceListener[] => {
  const ofClients = [...Map.groupBy(listeners, ({ client }) => client).values()]
  return ofClients.sort((a, b) => countTokens(b) - countTokens(a))[0] ?? []
}

export const tooMany = (limit: 'balancesPerClient' | 'balancesPerFeed', max: number): ApiError =>
  new ApiError('RateLimited', { description: `balances of more than ${max} tokens`, data: { limit, max } })

const toKey = (account: Address, token: Address): string => `${account}${token}`

/** A missing amount leaves the known one. */
const merge = (before: Holding | undefined, held: HeldToken, read: Holding | undefined): HeldToken & Holding => ({
  ...held,
  balance: read?.balance ?? before?.balance,
  allowance: read?.allowance ?? before?.allowance,
})

const isSame = (one: Holding | undefined, other: Holding): boolean =>
  one !== undefined && one.balance === other.balance && one.allowance === other.allowance

const toText = ({ token, balance, allowance }: HeldToken & Holding) => ({
  token,
  balance: balance?.toString() ?? null,
  allowance: allowance?.toString() ?? null,
})
