import type { Browser } from 'playwright-core'
import type { Address } from 'viem'
import { afterAll, beforeAll } from 'vitest'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import type { Stack, StackOptions } from '#tools/stack/startStack.ts'
import { startBareTestStack } from '../stack/testStack.ts'
import { type ConsoleOptions, type ConsolePage, hasBrowser, launchBrowser, openConsole } from './browser.ts'
import { connectOrderBook, type OrderBook } from './orderBook.ts'

export type TestConsole = {
  /** available once the tests run */
  readonly stack: Stack
  readonly book: OrderBook
  token: (symbol: string) => Address
  account: (index: number) => DevAccount
  /** @param path with query; of the stack's own address, unless `baseUrl` is given */
  open: (path: string, options?: ConsoleOptions & { baseUrl?: string }) => Promise<ConsolePage>
}

/**
 * A stack and a browser for all tests of a file; both stop after the file. Without Chromium nothing is started.
 * @param findOptions stack options beyond those of tests
 */
export const setUpConsole = (findOptions = async (): Promise<Partial<StackOptions>> => ({})): TestConsole => {
  let stack: Stack | undefined
  let browser: Browser | undefined
  beforeAll(async () => {
    if (!hasBrowser) return
    ;[stack, browser] = await Promise.all([startBareTestStack(await findOptions()), launchBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
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
