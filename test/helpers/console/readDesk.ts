import type { Locator, Page } from 'playwright-core'

/** From signing to settlement on a busy machine, milliseconds. */
const fillMs = 60_000

/** Actions and texts of a trader on the trade page. */
export const readDesk = (page: Page) => {
  const side = (name: string) => page.getByRole('group', { name })
  const amountOf = (name: string): Locator => side(name).getByRole('textbox', { name: /^Amount/ })
  const desk = {
    sellAmount: amountOf('You sell'),
    buyAmount: amountOf('You buy'),
    button: (name: string | RegExp) => page.getByRole('button', { name }),
    panel: (name: string) => page.getByRole('region', { name }),
    openWallets: () => desk.panel('Wallet').getByRole('button', { name: 'Connect a wallet' }).click(),
    connect: async (wallet: string | RegExp) => {
      await desk.openWallets()
      await page.getByRole('dialog').getByRole('button', { name: wallet }).click()
      await page.getByText('Connected:').waitFor()
    },
    /** Types into the picker and selects the first token, by keyboard only. */
    pick: async (field: 'Token to sell' | 'Token to buy', typed: string) => {
      const picker = page.getByRole('combobox', { name: field })
      await picker.focus()
      await page.keyboard.type(typed)
      await page.getByRole('listbox', { name: field }).getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
    },
    /** The account's balance as displayed. */
    seeBalance: (name: string, text: string) => side(name).getByText(`You have ${text}`, { exact: true }).waitFor(),
    seeStatus: (text: string) =>
      desk.panel('Your order').locator('.badge', { hasText: text }).waitFor({ timeout: fillMs }),
    seeAlert: (text: string | RegExp) => page.getByRole('alert').getByText(text).waitFor(),
    /** Approves the token unless approved already, once the next step is known. */
    approve: async (symbol: string, next: string) => {
      const approval = desk.button(`Approve ${symbol}`)
      await approval.or(desk.button(next)).waitFor()
      if (await approval.isVisible()) await approval.click()
    },
    /** Clicks the signing button and waits for the order. @returns the UID */
    place: async (button: string): Promise<string> => {
      await desk.button(button).click()
      await page.getByRole('heading', { name: 'Your order' }).waitFor()
      return new URL(page.url()).searchParams.get('order') ?? ''
    },
    fields: async () => ({
      sell: await page.getByRole('combobox', { name: 'Token to sell' }).inputValue(),
      buy: await page.getByRole('combobox', { name: 'Token to buy' }).inputValue(),
      sellAmount: await desk.sellAmount.inputValue(),
      buyAmount: await desk.buyAmount.inputValue(),
      isLimit: await page.getByRole('radio', { name: 'Limit order' }).isChecked(),
      isByParts: await page.getByRole('checkbox', { name: 'May be filled in parts' }).isChecked(),
    }),
  }
  return desk
}
