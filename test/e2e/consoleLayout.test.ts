import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { browserTest, expectAccessible, expectNoSidewaysScroll, hasBrowser } from '../helpers/console/browser.ts'
import { setUpConsole } from '../helpers/console/setUpConsole.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { fillSwap } from '../helpers/orders/fillSwap.ts'
import { useSharedStack } from '../helpers/stack/useSharedStack.ts'

/** Sum of all layout shifts that no input caused: at least the CLS of the page. */
const maxShift = 0.02

const own = setUpConsole(() => useSharedStack())
let filled: { uid: string; owner: string; txHash: string; auctionId: number; solver: string }

beforeAll(async () => {
  if (!hasBrowser) return
  const { address, privateKey } = await createTrader(own.stack)
  const uid = await fillSwap(own.stack.info, privateKey)
  type Report = { trades: { txHash: string; auctionId: number }[] }
  const [trade] = (await own.book.get<Report>(`/debug/order/${uid}`)).trades
  if (!trade) throw new Error('no trade')
  const [solver] = await own.book.get<{ address: string }[]>('/explorer/solvers')
  filled = { ...trade, uid, owner: address, solver: solver?.address ?? '' }
})

/** Pages, and an element that each shows at the end. */
const pages: Record<string, { path: () => string; last: string; expected?: RegExp }> = {
  trade: { path: () => '/', last: '.market-price strong.number' },
  order: { path: () => `/orders/${filled.uid}`, last: '.timeline-chart, .timeline-list' },
  account: { path: () => `/accounts/${filled.owner}`, last: '.order-row' },
  explorer: { path: () => '/explore', last: '.order-row' },
  markets: { path: () => '/explore?view=markets', last: '.market-chart .number' },
  status: { path: () => '/status', last: 'table tbody tr' },
  token: { path: () => `/tokens/${own.token('WETH')}`, last: '.token-lists tbody tr' },
  auction: { path: () => `/auctions/${filled.auctionId}`, last: 'main table tbody tr' },
  solver: { path: () => `/solvers/${filled.solver}`, last: 'main table tbody tr' },
  transaction: { path: () => `/transactions/${filled.txHash}`, last: '.order-row' },
  // axe inserts copies of style sheets, which the policy of this page refuses
  docs: { path: () => '/docs', last: '#docs .opblock', expected: /^Applying inline style|preload assets/ },
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
browserTest.each(cases)(
  'the %s page fits, is accessible in the dark and does not move while it loads: %i pixels',
  async (name, width) => {
    const { path, last, expected } = pages[name] ?? { path: () => '', last: '' }
    const { page, close } = await own.open(`${path()}${path().includes('?') ? '&' : '?'}network=sepolia`, {
      width,
      dark: true,
      ...(expected && { expected }),
    })
    await page.locator(last).first().waitFor()
    await page.locator('[aria-busy=true], .loading, .skeleton').first().waitFor({ state: 'detached' })
    const shifts = await readShifts(page)
    const total = shifts.reduce((sum, { value }) => sum + value, 0)
    expect(total, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(maxShift)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await close()
  },
)
