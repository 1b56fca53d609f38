import type { Browser } from 'playwright-core'
import type { Address } from 'viem'
import { afterAll, beforeAll } from 'vitest'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import type { SharedStack } from '../stack/useSharedStack.ts'
import { type ConsoleOptions, type ConsolePage, hasBrowser, openConsole } from './browser.ts'
import { connectOrderBook, type OrderBook } from './orderBook.ts'
import { closePages, useBrowser } from './sharedBrowser.ts'

export type TestConsole = {
  /** available once the tests run */
  readonly stack: SharedStack
  readonly book: OrderBook
  token: (symbol: string) => Address
  account: (index: number) => DevAccount
  /** @param path with query; of the stack's own address, unless `baseUrl` is given */
  open: (path: string, options?: ConsoleOptions & { baseUrl?: string }) => Promise<ConsolePage>
}

/**
 * A stack for all tests of a file, which stops after it, and the browser of the process. Without Chromium nothing is started.
 * @param start returns the stack: `startBareTestStack` or `useSharedStack`
 */
export const setUpConsole = (start: () => Promise<SharedStack>): TestConsole => {
  let stack: SharedStack | undefined
  let browser: Browser | undefined
  beforeAll(async () => {
    if (!hasBrowser) return
    ;[stack, browser] = await Promise.all([start(), useBrowser()])
  })
  afterAll(async () => {
    await closePages(browser)
    await stack?.stop()
  })

  const own: TestConsole = {
    get stack() {
      return found(stack, 'stack')
    },
    get book() {
      return connectOrderBook(own.stack.info)
    },
    token: (symbol) => found(own.stack.info.tokens[symbol]?.address, `token ${symbol}`),
    account: (index) => found(own.stack.info.accounts[index], `account ${index}`),
    open: (path, { baseUrl = own.stack.info.baseUrl, ...options } = {}) =>
      openConsole(found(browser, 'browser'), baseUrl, path, options),
  }
  return own
}

const found = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`${what} is missing`)
  return value
}
