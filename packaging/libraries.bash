# shellcheck shell=bash
# Which libraries are installed, and which packages they came with.

# Prints the file of a library: installed libmysofa.
installed() { ldconfig -p | awk -v name="$1.so." 'index($1, name) == 1 && !found++ { print $NF }'; }

# Prints the package of a file. Where /lib is a link to /usr/lib, packages may still name their files by the former.
package_of() {
  local file
  file=$(realpath "$1")
  { dpkg-query -S "$file" 2>/dev/null || dpkg-query -S "${file#/usr}"; } | cut -d : -f 1
}
