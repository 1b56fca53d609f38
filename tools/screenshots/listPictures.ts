import type { Page } from 'playwright-core'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import type { Picture } from './takePicture.ts'

/** The status page plots only the time that it was open. */
const watchedMs = 45_000

/** Time for names, prices and balances to load. */
const settleMs = 2_000

/** Pages of the README. */
const readmeNames = ['trade', 'order', 'status']

/**
 * The console's pages.
 * @param order for the order page
 * @param isAll also those that the README does not show
 */
export const listPictures = ({ baseUrl, network, tokens }: StackInfo, order: string, isAll: boolean): Picture[] => {
  const address = (symbol: string) => tokens[symbol]?.address ?? ''
  const pair = { network, sell: address('WETH'), buy: address('USDC') }
  const trade = new URLSearchParams({ ...pair, amount: '1.5' })
  const limit = new URLSearchParams({ ...pair, amount: '1', type: 'limit', price: '3300', tab: 'history' })
  const owner = `0x${order.slice(66, 106)}`
  const pictures: Picture[] = [
    { name: 'trade', url: `${baseUrl}/?${trade}`, prepare: waitForQuote, until: '.trade-card, .trade-side' },
    {
      name: 'order',
      url: `${baseUrl}/orders/${order}?network=${network}`,
      prepare: waitForCompetition,
      until: competition,
    },
    { name: 'status', url: `${baseUrl}/status?network=${network}`, prepare: watchStatus, until: '.plot' },
    { name: 'limit', url: `${baseUrl}/?${limit}`, prepare: waitForQuote, until: '.trade-card, .trade-side' },
    {
      name: 'developer',
      url: `${baseUrl}/orders/${order}?network=${network}&tab=developer`,
      prepare: settle,
      until: '[role=tabpanel]',
    },
    {
      name: 'account',
      url: `${baseUrl}/accounts/${owner}?network=${network}`,
      prepare: settle,
      until: '.notifications',
    },
    { name: 'auction', url: `${baseUrl}/auctions/2?network=${network}`, prepare: settle, until: '.panel' },
    { name: 'not-found', url: `${baseUrl}/orders/%E0%A4%A`, prepare: settle, until: 'main .actions' },
  ]
  return isAll ? pictures : pictures.filter(({ name }) => readmeNames.includes(name))
}

/** With the stack's first account as the wallet, and a complete quote. */
const waitForQuote = async (page: Page): Promise<void> => {
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Connect/ })
    .click()
  await page.getByRole('dialog').getByRole('listitem').first().getByRole('button').click()
  await page.locator('.receipt[aria-busy=false]').waitFor()
  await page.getByRole('region', { name: 'Your orders' }).getByRole('listitem').first().waitFor()
  await page.waitForTimeout(settleMs)
}

const competition = '[aria-labelledby=competition]'

const waitForCompetition = async (page: Page): Promise<void> => {
  await page.locator(competition).waitFor()
  await page.waitForTimeout(settleMs)
}

const settle = (page: Page): Promise<void> => page.waitForTimeout(settleMs)

const watchStatus = async (page: Page): Promise<void> => {
  await page.locator('.plot canvas').first().waitFor()
  await page.waitForTimeout(watchedMs)
}
