/** Shares a link through the phone's share sheet if available, otherwise copies it. */
export const shareLink = async (
  title: string,
  url: string,
): Promise<'shared' | 'copied' | 'failed'> => {
  // Phones have a share sheet; on other devices, people prefer a copy.
  if (navigator.share && matchMedia('(pointer: coarse)').matches) {
    const shared = await navigator.share({ title, url }).then(
      () => true,
      () => false,
    )
    if (shared) return 'shared'
  }
  return copyText(url)
}

/** Copies a text to the clipboard. */
export const copyText = (text: string): Promise<'copied' | 'failed'> =>
  navigator.clipboard.writeText(text).then(
    () => 'copied',
    () => 'failed',
  )
