import type { Browser } from 'playwright-core'
import { type Address, parseEther } from 'viem'
import { afterAll, beforeAll, expect } from 'vitest'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import {
  browserTest,
  type ConsoleOptions,
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  openConsole,
} from '../helpers/console/browser.ts'
import { closePages, useBrowser } from '../helpers/console/sharedBrowser.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack
let browser: Browser
let filled: string
let waiting: string

beforeAll(async () => {
  if (!hasBrowser) return
  ;[stack, browser] = await Promise.all([useSharedStack(), useBrowser()])
  const { address, privateKey } = await createTrader(stack)
  const [sellToken, buyToken] = [token('WETH'), token('USDC')]
  waiting = await postSignedOrder(stack.info, privateKey, {
    ...{ sellToken: sellToken.address, buyToken: buyToken.address, sellAmount: 10n ** 15n, buyAmount: 10n ** 12n },
  })
  const trader = connectTrader(stack.info, privateKey)
  expect(trader.address.toLowerCase()).toBe(address)
  filled = await postSwap(trader, { kind: 'sell', sellToken, buyToken, amount: parseEther('0.01') })
  await waitForStatus(trader, filled, 'fulfilled')
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
const open = (query: string, options: ConsoleOptions = {}) =>
  openConsole(browser, stack.info.baseUrl, `/explore?network=${stack.info.network}${query}`, options)

browserTest('a filter of the address selects the orders of the list, and a choice changes the address', async () => {
  const { page, close } = await open('&status=fulfilled')
  const linkTo = (uid: string) => page.locator(`a[href*="${uid}"]`)
  await linkTo(filled).waitFor()
  expect(await linkTo(waiting).count()).toBe(0)
  await page.getByLabel('Status').selectOption('open')
  await linkTo(waiting).waitFor()
  expect(new URL(page.url()).searchParams.get('status')).toBe('open')
  await page.getByLabel('Token').fill(`0x${'0d'.repeat(20)}`)
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByText('There are no such orders.').waitFor()
  await page.goBack()
  await linkTo(waiting).waitFor()
  await close()
})

browserTest('tabs work by keyboard and have the settled trade and its auction and its solver', async () => {
  const { page, close } = await open('')
  await page.getByRole('tab', { name: 'Orders' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.locator(`td a[href*="${filled}"]`).waitFor()
  expect(new URL(page.url()).searchParams.get('view')).toBe('trades')
  await page.keyboard.press('ArrowRight')
  await page.locator('td', { hasText: 'Settled' }).first().waitFor()
  await page.keyboard.press('ArrowRight')
  const row = page
    .getByRole('row')
    .filter({ hasText: 'WETH' })
    .or(page.getByRole('row').filter({ hasText: 'ETH' }))
  await row.first().waitFor()
  await close()
})

const sizes = [360, 768, 1_920].flatMap((width) => [false, true].map((dark) => ({ width, dark })))
browserTest.each(sizes)('every view fits and is accessible: %o', async (size) => {
  const { page, close } = await open('', size)
  for (const name of ['Orders', 'Trades', 'Auctions', 'Solvers', 'Tokens']) {
    await page.getByRole('tab', { name }).click()
    await page.locator('[role=tabpanel] :is(li, tbody tr)').first().waitFor()
    await page.locator('.tiles').waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  }
  await close()
})

browserTest('every width around a change of the layout fits while the font is not loaded', async () => {
  const { page, close } = await open('', {
    expected: /woff2 fails/,
    prepare: (blank) => blank.route('**/*.woff2', (route) => route.abort()),
  })
  await page.locator('[role=tabpanel] li').first().waitFor()
  for (const width of [360, 416, 417, 767, 768, 895, 896, 1_280]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoSidewaysScroll(page)
  }
  await close()
})
