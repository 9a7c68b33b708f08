const p=new URLSearchParams(location.search),t=p.get('theme');p.delete('theme');
if(t==='dark'||t==='light')document.documentElement.style.colorScheme=t;
const a=document.getElementById('asked'),l=a&&a.querySelector('a');if(a&&p.size){a.hidden=false;
if(l){const u=new URL(l.href);u.search=p;l.href=u}}
if(parent!==window)new ResizeObserver(()=>parent.postMessage({type:'$message',
height:Math.ceil(document.documentElement.getBoundingClientRect().height)},'*')).observe(document.documentElement)
