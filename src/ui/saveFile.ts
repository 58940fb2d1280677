/** Hands a content to the browser as a file to keep. */
export const saveFile = (name: string, type: string, content: string | Blob) => {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
