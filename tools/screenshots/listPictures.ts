import type { Page } from 'playwright-core'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import type { Picture } from './takePicture.ts'

/** The status page plots only the time that it was open. */
const watchedMs = 45_000

/** Time for names, prices and balances to load. */
const settleMs = 2_000

/**
 * The console's pages in the README.
 * @param order for the order page
 */
export const listPictures = ({ baseUrl, network, tokens }: StackInfo, order: string): Picture[] => {
  const address = (symbol: string) => tokens[symbol]?.address ?? ''
  const trade = new URLSearchParams({ network, sell: address('WETH'), buy: address('USDC'), amount: '1.5' })
  return [
    { name: 'trade', url: `${baseUrl}/?${trade}`, prepare: waitForOffer, until: '[aria-labelledby=recent-title]' },
    {
      name: 'order',
      url: `${baseUrl}/orders/${order}?network=${network}`,
      prepare: waitForCompetition,
      until: competition,
    },
    { name: 'status', url: `${baseUrl}/status?network=${network}`, prepare: watchStatus, until: '.plot' },
  ]
}

/** With the stack's first account as the wallet, and a complete offer. */
const waitForOffer = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Connect a wallet' }).first().click()
  await page.getByRole('dialog').getByRole('listitem').first().getByRole('button').click()
  await page.locator('.offer table').waitFor()
  await page.locator('.offer[aria-busy=false]').waitFor()
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
