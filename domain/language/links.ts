/** Returns whether the text is empty or a web address, the only kind of link a page may show. */
export const isLink = (value: string): boolean =>
  value === '' || /^https?:\/\/[^\s/?#]+(?:[/?#]\S*)?$/i.test(value)

/** The social networks, by the setting that names the company's account there. */
const NETWORKS = {
  FacebookHandle: 'https://www.facebook.com/',
  TwitterHandle: 'https://x.com/',
  InstagramHandle: 'https://www.instagram.com/',
} as const
export type SocialSetting = keyof typeof NETWORKS

const HANDLE = /^@?([A-Za-z0-9_][A-Za-z0-9._-]*)$/

/** Returns whether the text is empty, a handle such as @example, or a web address. */
export const isSocial = (value: string): boolean => isLink(value) || HANDLE.test(value)

/** Matches domains reserved for examples. A platform uses them until the office saves its own. */
const RESERVED = /^https?:\/\/(?:www\.)?example\.(?:com|net|org)(?:[:/?#]|$)/i

/** Returns the address to link to, or null where it is missing, malformed or a placeholder. */
export const linkTo = (value: string | undefined): string | null => {
  const address = value?.trim()
  return address && isLink(address) && !RESERVED.test(address) ? address : null
}

/** Returns the host of a web address, which names it to people. */
export const getHost = (address: string): string =>
  address.replace(/^https?:\/\//i, '').replace(/[/?#].*$/, '')

/** Returns the address of the company's account, which is stored as a handle or as an address. */
export const socialLinkTo = (network: SocialSetting, value: string | undefined): string | null => {
  const [, name] = HANDLE.exec(value?.trim() ?? '') ?? []
  return name ? `${NETWORKS[network]}${name}` : linkTo(value)
}
