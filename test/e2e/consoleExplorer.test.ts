import { beforeAll, expect } from 'vitest'
import {
  browserTest,
  type ConsoleOptions,
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
} from '../helpers/console/browser.ts'
import { setUpConsole } from '../helpers/console/setUpConsole.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { fillSwap } from '../helpers/orders/fillSwap.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { useSharedStack } from '../helpers/stack/useSharedStack.ts'

const own = setUpConsole(() => useSharedStack())
const { token } = own
let filled: string
let waiting: string

beforeAll(async () => {
  if (!hasBrowser) return
  const { privateKey } = await createTrader(own.stack)
  waiting = await postSignedOrder(own.stack.info, privateKey, {
    ...{ sellToken: token('WETH'), buyToken: token('USDC'), sellAmount: 10n ** 15n, buyAmount: 10n ** 12n },
  })
  filled = await fillSwap(own.stack.info, privateKey)
})

const open = (query: string, options: ConsoleOptions = {}) => own.open(`/explore?network=sepolia${query}`, options)

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
  await row.first().getByRole('link').first().click()
  await page.getByRole('heading', { name: /^Solver \w/ }).waitFor()
  await page.locator('td', { hasText: 'Settled' }).first().waitFor()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
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
