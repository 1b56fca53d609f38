import { render } from 'preact'
import { App } from './app/App.tsx'
import { preloadPage } from './app/preloadPage.ts'
import { reloadOutdated } from './app/reloadOutdated.ts'
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'

reloadOutdated()
preloadPage(location.pathname)
// only a Safe may frame this page
if (window.parent !== window) void import('./wallet/safe/announceSafe.ts').then(({ announceSafe }) => announceSafe())
const root = document.getElementById('app')
if (root) render(<App />, root)
