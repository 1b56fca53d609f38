import type { Page } from 'playwright-core'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import type { TradedHistory } from './makeHistory.ts'
import type { Picture } from './takePicture.ts'

/** The status page plots only the time that it was open. */
const watchedMs = 45_000

/** Time for names, prices and balances to load. */
const settleMs = 2_000

/** URLs of the pages of the console and of the API reference, by name. */
export const listPages = ({ baseUrl, network, tokens }: StackInfo, history: TradedHistory) => {
  const address = (symbol: string) => tokens[symbol]?.address ?? ''
  const pair = { network, sell: address('WETH'), buy: address('USDC') }
  const toUrl = (path: string, parameters: Record<string, string> = {}) =>
    `${baseUrl}${path}?${new URLSearchParams({ network, ...parameters })}`
  const owner = `0x${history.order.slice(66, 106)}`
  return {
    trade: toUrl('/', { ...pair, amount: '1.5' }),
    order: toUrl(`/orders/${history.order}`),
    status: toUrl('/status'),
    limit: toUrl('/', { ...pair, amount: '1', type: 'limit', price: '3300', tab: 'history' }),
    cancelled: toUrl(`/orders/${history.cancelled}`),
    'partly-filled': toUrl(`/orders/${history.partlyFilled}`),
    developer: toUrl(`/orders/${history.order}`, { tab: 'developer' }),
    account: toUrl(`/accounts/${owner}`),
    notifications: toUrl('/notifications'),
    explore: toUrl('/explore'),
    markets: toUrl('/explore', { view: 'markets' }),
    token: toUrl(`/tokens/${address('WETH')}`),
    auction: toUrl(`/auctions/${history.auctionId}`),
    transaction: toUrl(`/transactions/${history.txHash}`),
    docs: `${baseUrl}/docs`,
    'not-found': toUrl('/no-page'),
  }
}

/** Pictures of the README. */
export const listPictures = (stack: StackInfo, history: TradedHistory): Picture[] => {
  const pages = listPages(stack, history)
  return [
    { name: 'trade', url: pages.trade, prepare: waitForQuote, until: '.trade-card, .trade-side' },
    { name: 'order', url: pages.order, prepare: waitForCompetition, until: competition },
    { name: 'status', url: pages.status, prepare: watchStatus, until: '.plot' },
  ]
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

const watchStatus = async (page: Page): Promise<void> => {
  await page.locator('.plot canvas').first().waitFor()
  await page.waitForTimeout(watchedMs)
}
