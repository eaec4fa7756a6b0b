// Pictures far down a page are read when they come near, or are printed: images with their address in `data-near`.
const pictures = [...document.querySelectorAll('[data-near]')]
const show = (picture) => picture.setAttribute('href', picture.dataset.near)
const observer = new IntersectionObserver(
  (seen) => {
    for (const { isIntersecting, target } of seen) if (isIntersecting) pictures.filter((one) => target.contains(one)).forEach(show)
  },
  { rootMargin: '400px' },
)
for (const picture of pictures) observer.observe(picture.closest('svg'))
addEventListener('beforeprint', () => pictures.forEach(show))
