import type { Frame, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

const orderOf = (url: string): string => new URL(url).searchParams.get('order') ?? ''

/**
 * Actions and texts of a trader on the trade page.
 * @param within where the trade page is, for one inside of a frame
 */
export const readDesk = (page: Page, within: Page | Frame = page) => {
  const side = (name: string) => within.getByRole('group', { name, exact: true })
  const amountOf = (name: string): Locator => side(name).getByRole('textbox', { name: /amount$/ })
  const header = within.getByRole('banner').first()
  const desk = {
    sellAmount: amountOf('Sell'),
    buyAmount: amountOf('Buy'),
    button: (name: string | RegExp) => within.getByRole('button', { name }),
    panel: (name: string) => within.getByRole('region', { name, exact: true }),
    openWallets: () => header.getByRole('button', { name: /^Connect/ }).click(),
    connect: async (wallet: string | RegExp) => {
      await desk.openWallets()
      await within.getByRole('dialog').getByRole('button', { name: wallet }).click()
      await desk.account().waitFor()
    },
    /** The button of the connected account. @param address any account when omitted */
    account: (address?: string) =>
      address ? header.getByTitle(address) : header.getByRole('button', { name: /^Account 0x/ }),
    disconnect: async () => {
      await desk.account().click()
      await desk.button('Disconnect').click()
      await header.getByRole('button', { name: /^Connect/ }).waitFor()
    },
    token: (field: 'Token to sell' | 'Token to buy') => within.getByRole('button', { name: new RegExp(`^${field}: `) }),
    /** Opens the picker, types and selects the first token, by keyboard only. */
    pick: async (field: 'Token to sell' | 'Token to buy', typed: string) => {
      await desk.token(field).press('Enter')
      const picker = within.getByRole('combobox', { name: field })
      await picker.waitFor()
      await page.keyboard.type(typed)
      expect(await picker.inputValue()).toBe(typed)
      await within.getByRole('listbox', { name: field }).getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
      await picker.waitFor({ state: 'detached' })
    },
    /** The account's balance as displayed. */
    seeBalance: (name: string, text: string) => side(name).getByTitle(text, { exact: true }).waitFor(),
    seeStatus: (text: string) => desk.panel('Your order').locator('.chip', { hasText: text }).waitFor(),
    seeAlert: (text: string | RegExp) => within.getByRole('alert').getByText(text).waitFor(),
    /** Approves the token unless approved already, once the next step is known. */
    approve: async (symbol: string, next: string) => {
      const approval = desk.button(`Approve ${symbol}`)
      await approval.or(desk.button(next)).waitFor()
      if (await approval.isVisible()) await approval.click()
    },
    /** Clicks the signing button and waits for its order, which replaces an earlier one. @returns the UID */
    place: async (button: string): Promise<string> => {
      const last = orderOf(within.url())
      await desk.button(button).click()
      await within.waitForURL(({ href }) => orderOf(href) !== last)
      const uid = orderOf(within.url())
      await desk.panel('Your order').locator(`a[href*="${uid}"]`).first().waitFor()
      return uid
    },
    fields: async () => ({
      sell: await desk.token('Token to sell').textContent(),
      buy: await desk.token('Token to buy').textContent(),
      sellAmount: await desk.sellAmount.inputValue(),
      buyAmount: await desk.buyAmount.inputValue(),
      isLimit: await within.getByRole('radio', { name: 'Limit', exact: true }).isChecked(),
      isByParts: await within.getByRole('checkbox', { name: 'Allow partial fills' }).isChecked(),
    }),
  }
  return desk
}
