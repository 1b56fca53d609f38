/** Name and mark, without `href` before a network is known. */
export const Brand = ({ href }: { href?: string }) => (
  <a class="brand" href={href}>
    <img src="/icon.svg" alt="" width="28" height="28" />
    <span>edgebook</span>
  </a>
)
