import { ThemeSwitch } from './ThemeSwitch.tsx'

/** End of every page. */
export const Footer = () => (
  <footer class="site-footer">
    <span>edgebook · signed orders, settled in batches</span>
    <span class="actions">
      <a href="/docs" target="_self">
        API reference
      </a>
      <a href="/assets/licenses.md" target="_self">
        Licences
      </a>
      <ThemeSwitch />
    </span>
  </footer>
)
