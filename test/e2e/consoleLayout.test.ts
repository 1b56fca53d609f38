import type { Browser, Page } from 'playwright-core'
import { type Address, type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, expect } from 'vitest'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { browserTest, hasBrowser, openConsole } from '../helpers/console/browser.ts'
import { closePages, useBrowser } from '../helpers/console/sharedBrowser.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

/** Sum of all layout shifts that no input caused: at least the CLS of the page. */
const maxShift = 0.02

let stack: SharedStack
let browser: Browser
let filled: { uid: string; owner: string; txHash: string; auctionId: number }

beforeAll(async () => {
  if (!hasBrowser) return
  ;[stack, browser] = await Promise.all([useSharedStack(), useBrowser()])
  const { address, privateKey } = await createTrader(stack)
  const client = connectTrader(stack.info, privateKey as Hex)
  const [sellToken, buyToken] = [token('WETH'), token('USDC')]
  const uid = await postSwap(client, { kind: 'sell', sellToken, buyToken, amount: parseEther('0.01') })
  await waitForStatus(client, uid, 'fulfilled')
  const report = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/debug/order/${uid}`)
  const { trades } = (await report.json()) as { trades: { txHash: string; auctionId: number }[] }
  const [trade] = trades
  if (!trade) throw new Error('no trade')
  filled = { ...trade, uid, owner: address }
})
afterAll(async () => {
  await closePages(browser)
  await stack?.stop()
})

const token = (symbol: string): { address: Address; decimals: number } => {
  const found = stack.info.tokens[symbol]
  if (!found) throw new Error(`no token ${symbol}`)
  return found as { address: Address; decimals: number }
}

/** Pages, and an element that each shows at the end. */
const pages: Record<string, { path: () => string; last: string }> = {
  trade: { path: () => '/', last: '.pair-price strong.number' },
  order: { path: () => `/orders/${filled.uid}`, last: '.timeline-chart, .timeline-list' },
  account: { path: () => `/accounts/${filled.owner}`, last: '.order-row' },
  explorer: { path: () => '/explore', last: '.order-row' },
  status: { path: () => '/status', last: 'table tbody tr' },
  token: { path: () => `/tokens/${token('WETH').address}`, last: '.token-lists tbody tr' },
  auction: { path: () => `/auctions/${filled.auctionId}`, last: 'main table tbody tr' },
  transaction: { path: () => `/transactions/${filled.txHash}`, last: '.order-row' },
  docs: { path: () => '/docs', last: '#docs .opblock' },
  notifications: { path: () => '/notifications', last: '.channel-list dt' },
}

type Shift = { value: number; nodes: string[] }

const readShifts = (page: Page): Promise<Shift[]> =>
  page.evaluate(`new Promise((resolve) => {
    const shifts = []
    const take = (entries) => {
      for (const { value, hadRecentInput, sources } of entries) {
        const nodes = sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? 'a removed node')
        if (!hadRecentInput) shifts.push({ value, nodes })
      }
    }
    const observer = new PerformanceObserver((list) => take(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
      take(observer.takeRecords())
      resolve(shifts)
    })))
  })`)

const cases = Object.keys(pages).flatMap((name) => [1_440, 390].map((width) => [name, width] as const))
browserTest.each(cases)('the content of the %s page does not move while it loads: %i pixels', async (name, width) => {
  const { path, last } = pages[name] ?? { path: () => '', last: '' }
  const query = `?network=${stack.info.network}`
  const { page, close } = await openConsole(browser, stack.info.baseUrl, path() + query, { width })
  await page.locator(last).first().waitFor()
  await page.locator('[aria-busy=true], .loading, .skeleton').first().waitFor({ state: 'detached' })
  const shifts = await readShifts(page)
  const total = shifts.reduce((sum, { value }) => sum + value, 0)
  expect(total, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(maxShift)
  await close()
})
