import { type Hex, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { NotificationResponse } from '#shared/notifications/notificationSchema.ts'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { SinkChannel } from '#tools/stack/sinks/createMailbox.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { connectOrderBook, type OrderBook } from '../console/orderBook.ts'
import { type SignableOrder, signOrder } from '../orders/signOrder.ts'
import { patienceMs } from '../patienceMs.ts'
import { connectSinks, type SinksClient, subscribeToAll } from './subscriber.ts'

export type Listed = Pick<NotificationResponse, 'id' | 'type' | 'message'> & {
  metadata: { orderUid: string; blockNumber?: number }
}

/** Some blocks: each dispatches again, so a duplicate message would arrive meanwhile. */
export const quietMs = 6_000

export const neverFilled = { buyAmount: parseUnits('1000000', 6) }

export const sentencesOf = (notified: readonly Listed[]) => notified.map(({ message }) => message).toSorted()

/** A stack for all tests of a file, and its first account, which trades and is subscribed through every channel. */
export const setUpNotifiedTrader = (start: () => Promise<Stack>) => {
  let stack: Stack | undefined
  let book: OrderBook | undefined
  let sinks: SinksClient | undefined
  let subscribed: Awaited<ReturnType<typeof subscribeToAll>> | undefined
  /** the newest message before a test */
  let before = 0
  beforeAll(async () => {
    stack = await start()
    book = connectOrderBook(stack.info)
    sinks = connectSinks(stack.info)
    const { privateKey } = own.account(0)
    for (const symbol of ['WETH', 'USDC']) await connectTrader(stack.info, privateKey).approveRelayer(own.token(symbol))
    subscribed = await subscribeToAll(stack.info, privateKey, 'trader')
  })
  afterAll(() => stack?.stop())
  beforeEach(() => own.forget())

  const own = {
    get stack() {
      return found(stack, 'stack')
    },
    get book() {
      return found(book, 'order book')
    },
    get sinks() {
      return found(sinks, 'sinks')
    },
    get subscribed() {
      return found(subscribed, 'subscriptions')
    },
    account: (index: number) => found(own.stack.info.accounts[index], `account ${index}`),
    token: (symbol: string): Hex => found(own.stack.info.tokens[symbol], `token ${symbol}`).address,
    /** Sells 0.1 WETH for USDC, for which the pools pay about 300. */
    post: async (terms: Partial<SignableOrder>): Promise<Hex> => {
      const common = { sellToken: own.token('WETH'), buyToken: own.token('USDC') }
      const amounts = { sellAmount: parseEther('0.1'), buyAmount: parseUnits('150', 6) }
      const body = await signOrder(own.stack.info, own.account(0).privateKey, { ...common, ...amounts, ...terms })
      return (await own.book.post(body)) as Hex
    },
    cancel: (uid: Hex): Promise<void> => own.book.cancel(uid, own.account(0).privateKey),
    /** Notifications of an account by the API. */
    list: async (owner = own.account(0).address): Promise<Listed[]> => {
      const response = await fetch(`${own.stack.info.baseUrl}/accounts/${owner}/notifications?limit=100`)
      expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'public, max-age=300'])
      return (await response.json()) as Listed[]
    },
    /** Waits until each of these orders has exactly these types of notifications. */
    waitForTypes: async (expected: ReadonlyMap<string, string[]>): Promise<Listed[]> => {
      let notified: Listed[] = []
      const typesOf = (uid: string) =>
        notified.flatMap(({ type, metadata }) => (metadata.orderUid === uid ? type : [])).toSorted()
      const isComplete = async (): Promise<boolean> => {
        notified = await own.list()
        return [...expected].every(([uid, types]) => String(typesOf(uid)) === String(types))
      }
      await waitUntil('the notifications', isComplete, { timeoutMs: patienceMs, intervalMs: 500 }).catch((error) => {
        const missing = [...expected].map(([uid, types]) => `${uid.slice(0, 10)}: ${types}, notified ${typesOf(uid)}`)
        throw new Error(`${error.message}\n${missing.join('\n')}`)
      })
      return notified.filter(({ metadata }) => expected.has(metadata.orderUid))
    },
    /** Leaves out the messages so far. */
    forget: async (): Promise<void> => {
      before = (await own.sinks.list()).at(-1)?.seq ?? 0
    },
    /** Messages of a channel since the test began. */
    listMessages: (channel: SinkChannel) => own.sinks.list(`?channel=${channel}&since=${before}`),
    /** Their sentences, sorted. */
    listSentences: async (channel: SinkChannel): Promise<string[]> => {
      const messages = await own.listMessages(channel)
      // a mail is the sentence and links; a chat has the title, the sentence, a link
      return messages.map(({ text }) => text.split('\n\n')[channel === 'telegram' ? 1 : 0] ?? '').toSorted()
    },
    waitForMessages: async (channel: SinkChannel, count: number): Promise<void> => {
      const isComplete = async () => (await own.listMessages(channel)).length >= count
      await waitUntil(`${count} messages by ${channel}`, isComplete, { timeoutMs: patienceMs, intervalMs: 250 })
    },
  }
  return own
}

const found = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`${what} is missing`)
  return value
}
