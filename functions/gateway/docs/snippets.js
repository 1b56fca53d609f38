/** The snippets of a step are tabs: one choice of a client for all steps, in the address (`?client=curl`). */
const clients = { sdk: 'SDK', fetch: 'fetch', curl: 'curl' }
const names = Object.keys(clients)

const create = (tag, properties, attributes = {}) => {
  const element = Object.assign(document.createElement(tag), properties)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}

const readClient = () => {
  const wanted = new URLSearchParams(location.search).get('client')
  return names.includes(wanted) ? wanted : names[0]
}

const choose = (client) => {
  for (const tab of document.querySelectorAll('[role=tab]')) {
    const isChosen = tab.dataset.client === client
    tab.setAttribute('aria-selected', isChosen)
    tab.tabIndex = isChosen ? 0 : -1
  }
  for (const panel of document.querySelectorAll('[role=tabpanel]')) panel.hidden = panel.dataset.client !== client
}

/** Chooses a client without moving the tab under the pointer, although the steps above change their height. */
const switchFrom = (tab) => {
  const top = tab.getBoundingClientRect().top
  choose(tab.dataset.client)
  scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' })
  const url = new URL(location.href)
  url.searchParams.set('client', tab.dataset.client)
  history.replaceState(history.state, '', url)
}

/** By key of the keyboard: the index of the next tab. */
const moves = {
  ArrowRight: (index) => (index + 1) % names.length,
  ArrowLeft: (index) => (index + names.length - 1) % names.length,
  Home: () => 0,
  End: () => names.length - 1,
}

const confirmedMs = 1_500

const createCopyButton = (box) => {
  const button = create('button', { type: 'button', className: 'copy', textContent: 'Copy' })
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(box.querySelector('[role=tabpanel]:not([hidden])').textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, confirmedMs)
  })
  return button
}

/** Turns the blocks of a step into tabs. */
const addTabs = (box) => {
  const title = box.closest('section').getAttribute('aria-labelledby')
  const list = create('div', {}, { role: 'tablist', 'aria-labelledby': title })
  for (const panel of box.querySelectorAll('[data-client]')) {
    const { client } = panel.dataset
    panel.id = `${title}-${client}`
    // a long line scrolls
    panel.tabIndex = 0
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', `${panel.id}-tab`)
    const tab = create(
      'button',
      { type: 'button', id: `${panel.id}-tab`, textContent: clients[client] },
      { role: 'tab', 'aria-controls': panel.id, 'data-client': client },
    )
    tab.addEventListener('click', () => switchFrom(tab))
    list.append(tab)
  }
  list.addEventListener('keydown', (event) => {
    const tabs = [...list.children]
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    const next = tabs[move(tabs.indexOf(event.target))]
    switchFrom(next)
    next.focus({ preventScroll: true })
  })
  const bar = create('div', { className: 'snippet-bar' })
  bar.append(list, createCopyButton(box))
  box.prepend(bar)
}

for (const box of document.querySelectorAll('.snippets')) addTabs(box)
choose(readClient())

/** The page is written for this address. */
const writtenOrigin = 'http://localhost:8787'
for (const code of document.querySelectorAll('.snippets code'))
  code.textContent = code.textContent.replaceAll(writtenOrigin, location.origin)

const words =
  /(?<comment>(?:^|\n)(?:#|\/\/)[^\n]*)|(?<text>'[^'\n]*'|"[^"\n]*"|`[^`]*`)|(?<word>\b(?:import|from|const|let|await|async|new|for|of|if|do|while|throw|return|break|curl|echo|jq)\b)/g

/** Colours without a change of the document, where the browser has them. */
const paint = () => {
  if (!CSS.highlights) return
  const ranges = { comment: [], text: [], word: [] }
  for (const { firstChild } of document.querySelectorAll('.snippets code')) {
    for (const { index, 0: found, groups } of firstChild.data.matchAll(words)) {
      const [kind] = Object.keys(groups).filter((name) => groups[name] !== undefined)
      const range = new Range()
      range.setStart(firstChild, index)
      range.setEnd(firstChild, index + found.length)
      ranges[kind].push(range)
    }
  }
  for (const [kind, all] of Object.entries(ranges)) CSS.highlights.set(kind, new Highlight(...all))
}

paint()
