import type { Message } from './channel.ts'
import { escapeHtml } from './escapeHtml.ts'

/** The text of a mail. */
export const toMailText = ({ text, link }: Message, unsubscribe: string | undefined): string =>
  [text, ...(link ? [`${link.label}: ${link.url}`] : []), ...(unsubscribe ? [`Unsubscribe: ${unsubscribe}`] : [])].join(
    '\n\n',
  )

/** The same as HTML. */
export const toMailHtml = ({ text, link }: Message, unsubscribe: string | undefined): string =>
  [
    `<p>${escapeHtml(text)}</p>`,
    ...(link ? [`<p>${toAnchor(link.url, link.label)}</p>`] : []),
    ...(unsubscribe ? [`<p>${toAnchor(unsubscribe, 'Unsubscribe')}</p>`] : []),
  ].join('\n')

const toAnchor = (url: string, label: string): string => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`
