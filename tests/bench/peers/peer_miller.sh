#!/bin/sh
# The job in Miller 6: one DSL pass, columns cut first.
# shellcheck disable=SC1010 # `then` is Miller's
form=$1; shift
pre='""'; [ $# -gt 1 ] && pre='sub(FILENAME, ".*/", "") . ":"'
v() { [ "$form" = smi ] && echo "float(splitax(\$[[[$1]]],\" \")[1])" || echo "\$[[[$1]]]"; }
acc='if (is_present(@n[$k])) { @e[$k] += 0.5*(p+@pl[$k])*(t-@tl[$k]) } else {
  @t0[$k]=t; @n[$k]=0; @e[$k]=0.0; @sp[$k]=0.0; @um[$k]=0.0; @m2[$k]=0.0 }
@tl[$k]=t; @pl[$k]=p; @sp[$k]+=p; @n[$k]+=1; d=u-@um[$k]; @um[$k]+=d/@n[$k]; @m2[$k]+=d*(u-@um[$k]);'
end='end { for (k,n in @n) { print k."\t".n."\t".fmtnum((@tl[k]-@t0[k])/1000.0,"%.17g")
  ."\t".fmtnum(@sp[k]/n,"%.17g")."\t".fmtnum(@e[k]/1000,"%.17g")."\t".fmtnum(@um[k],"%.17g")
  ."\t".fmtnum(sqrt(@m2[k]/(n-1))/@um[k],"%.17g") } }'
if [ "$form" = supercloud ]; then
  exec mlr --icsv --ojson --nr-progress-mod 1000000000 \
    cut -o -f timestamp,node,gpu_index,utilization_gpu_pct,power_draw_W then \
    put -q "\$k=$pre.\$node.\"/\".\$gpu_index; num t=round(\$timestamp*1000); num p=\$power_draw_W;
  num u=\$utilization_gpu_pct; $acc $end" "$@"
fi
exec mlr --icsvlite --ifs ', ' --ojson cut -o -f 'timestamp,index,power.draw [W],utilization.gpu [%]' then \
  put -q "\$k=$pre.\$index; str s=\$timestamp; str day=s[1:10];
  if (is_absent(@day) || day != @day) { @day=day; @base=strptime(day, \"%Y/%m/%d\") }
  num t=@base*1000+round(hms2fsec(s[12:23])*1000);
  num p=$(v 3); num u=$(v 4); $acc $end" "$@"
