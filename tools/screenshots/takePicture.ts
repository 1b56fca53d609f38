import { writeFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'

export type Picture = {
  /** of the file, without the ending */
  name: string
  url: string
  /** brings the page to where it is worth a picture */
  prepare: (page: Page) => Promise<void>
  /** selects the last thing that is to be seen; the picture ends under it */
  until: string
}

const size = { width: 1_280, height: 800 }
/** Pixels that are left under the last thing. */
const margin = 12
/** Of the repository's pictures: they are fetched by everybody who reads the README. */
const maxBytes = 300 * 1_024

/**
 * Takes a picture of a page in both themes, `<name>.png` and `<name>-dark.png`.
 * @param save says where a file goes
 * @throws Error when a page logs an error, or a picture is too large
 */
export const takePicture = async (
  browser: Browser,
  { name, url, prepare, until }: Picture,
  save: (name: string) => string,
): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      viewport: size,
      colorScheme,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
    })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => void errors.push(message))
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
    await page.goto(url)
    await prepare(page)
    const picture = await page.screenshot({
      animations: 'disabled',
      caret: 'hide',
      fullPage: true,
      clip: { x: 0, y: 0, width: size.width, height: (await findEnd(page, until)) + margin },
    })
    await context.close()
    if (errors.length > 0) throw new Error(`${url}: ${errors.join('; ')}`)
    if (picture.length > maxBytes) throw new Error(`${name} has ${picture.length} bytes, at most ${maxBytes} are kept`)
    await writeFile(save(colorScheme === 'dark' ? `${name}-dark.png` : `${name}.png`), picture)
  }
}

/** Pixels from the top of the page to the lower edge of the last element of that kind. */
const findEnd = async (page: Page, selector: string): Promise<number> => {
  await page.evaluate('scrollTo(0, 0)')
  const box = await page.locator(selector).last().boundingBox()
  if (!box) throw new Error(`${page.url()} has no ${selector}`)
  return Math.ceil(box.y + box.height)
}
