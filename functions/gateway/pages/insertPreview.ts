/** A view in the words of its link. @property id of the path, as given: any text */
type Preview = { title: string; id: string | undefined; description: string }

/** The first bytes and the last ones of an id are enough to recognise it. */
const idPattern = /^(?:0x[0-9a-f]{40,112}|\d{1,15})$/i

/**
 * Adds title and description of a view to the page: previews of links run no script. An id of another form is left out, so
 * that nothing of the path reaches the page unchecked.
 */
export const insertPreview = (html: string, { title, id = '', description }: Preview): string => {
  const name = idPattern.test(id) ? `${title} ${shorten(id.toLowerCase())}` : title
  return html.replace(
    '<title>edgebook</title>',
    `<title>${name} · edgebook</title>
    <meta property="og:title" content="${name}" />
    <meta property="og:description" content="${description}" />`,
  )
}

const shorten = (id: string): string => (id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id)
