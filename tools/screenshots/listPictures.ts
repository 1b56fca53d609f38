import type { Page } from 'playwright-core'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import type { TradedHistory } from './makeHistory.ts'
import type { Picture } from './takePicture.ts'

/** The status page plots only the time that it was open. */
const watchedMs = 45_000

/** Time for names, prices and balances to load. */
const settleMs = 2_000

/** Pages of the README. */
const readmeNames = ['trade', 'order', 'status']

const maxBytes = 300 * 1_024

/**
 * Pages of the console and of the API reference.
 * @param isAll also those that the README does not show
 */
export const listPictures = (
  { baseUrl, network, tokens }: StackInfo,
  history: TradedHistory,
  isAll: boolean,
): Picture[] => {
  const address = (symbol: string) => tokens[symbol]?.address ?? ''
  const pair = { network, sell: address('WETH'), buy: address('USDC') }
  const toUrl = (path: string, parameters: Record<string, string> = {}) =>
    `${baseUrl}${path}?${new URLSearchParams({ network, ...parameters })}`
  const owner = `0x${history.order.slice(66, 106)}`
  const desk = { prepare: waitForQuote, until: '.trade-card, .trade-side' }
  const whole = { prepare: settle, until: '.page' }
  const pictures: Picture[] = [
    { name: 'trade', url: toUrl('/', { ...pair, amount: '1.5' }), ...desk },
    { name: 'order', url: toUrl(`/orders/${history.order}`), prepare: waitForCompetition, until: competition },
    { name: 'status', url: toUrl('/status'), prepare: watchStatus, until: '.plot' },
    {
      name: 'limit',
      url: toUrl('/', { ...pair, amount: '1', type: 'limit', price: '3300', tab: 'history' }),
      ...desk,
    },
    { name: 'cancelled', url: toUrl(`/orders/${history.cancelled}`), ...whole },
    { name: 'partly-filled', url: toUrl(`/orders/${history.partlyFilled}`), ...whole },
    { name: 'developer', url: toUrl(`/orders/${history.order}`, { tab: 'developer' }), ...whole },
    { name: 'account', url: toUrl(`/accounts/${owner}`), ...whole },
    { name: 'notifications', url: toUrl('/notifications'), ...whole },
    { name: 'explore', url: toUrl('/explore'), ...whole },
    { name: 'token', url: toUrl(`/tokens/${address('WETH')}`), ...whole },
    { name: 'auction', url: toUrl(`/auctions/${history.auctionId}`), ...whole },
    { name: 'transaction', url: toUrl(`/transactions/${history.txHash}`), ...whole },
    { name: 'docs', url: `${baseUrl}/docs`, prepare: settle, until: '.quick-start' },
    { name: 'not-found', url: toUrl('/no-page'), ...whole, expected: /404/ },
  ]
  if (isAll) return pictures
  return pictures.filter(({ name }) => readmeNames.includes(name)).map((picture) => ({ ...picture, maxBytes }))
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

const loading = '[aria-busy=true], .loading, .skeleton'

const settle = async (page: Page): Promise<void> => {
  await page.waitForLoadState('load')
  await page.locator('.page, .opblock').first().waitFor()
  await page.locator(loading).first().waitFor({ state: 'detached' })
  await page.waitForTimeout(settleMs)
}

const watchStatus = async (page: Page): Promise<void> => {
  await page.locator('.plot canvas').first().waitFor()
  await page.waitForTimeout(watchedMs)
}
